/** The entries of one registry on disk, one per line, with a search index in memory. Usable offline. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../../shared/is-object.ts';
import { limits } from '../../../shared/limits.ts';
import { createSlices, ownTurn, sliceMs } from '../async/slices.ts';
import type { SearchIndex } from '../search/search.ts';
import { parseEntry, type RegistryEntry } from './entry.ts';

export interface Catalog {
  /** When the list was last read completely; undefined if never. */
  readonly syncedAt: number | undefined;
  /** The number of entries that are not withdrawn. */
  readonly size: number;
  names(): Iterable<string>;
  /** Undefined if there is no such entry, or if the file cannot be read. */
  find(name: string): Promise<RegistryEntry | undefined>;
  /** The best entries for a query, best first; the latest ones for an empty query. */
  search(query: string, limit: number): { name: string; relevance: number }[];
  /** The text of every entry by name. */
  lines(): Promise<Map<string, string>>;
}

interface Place {
  offset: number;
  length: number;
  updatedAt: number;
}

const temporarySuffix = '.tmp-';

export function catalogFile(dataDir: string, url: string): string {
  const id = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return join(dataDir, 'registry', `${id}.jsonl`);
}

/**
 * Reads the file in slices. If it is missing, damaged, or belongs to another registry, the catalog is empty. `index` is a new
 * index for its entries. `current` is the path of the file until it is renamed to `file`.
 */
export async function openCatalog(file: string, url: string, index: SearchIndex, current = file): Promise<Catalog> {
  const places = new Map<string, Place>();
  const withdrawn = new Map<string, Place>();
  const slice = createSlices();
  let syncedAt: number | undefined;
  let isOurs = false;
  try {
    for await (const { text, offset, length } of linesOf(current)) {
      if (offset === 0) {
        const header: unknown = JSON.parse(text);
        isOurs = isObject(header) && header.version === 1 && header.url === url;
        if (isOurs && isObject(header) && typeof header.syncedAt === 'number') syncedAt = header.syncedAt;
      }
      if (!isOurs) break;
      const entry = offset === 0 ? undefined : parseEntry(JSON.parse(text));
      if (!entry) continue;
      const { updatedAt = 0 } = entry;
      (entry.status === 'deleted' ? withdrawn : places).set(entry.name, { offset, length, updatedAt });
      if (entry.status !== 'deleted') addTo(index, entry);
      await slice();
    }
  } catch {
    // The entries read so far are usable. The next synchronization writes the file again.
    syncedAt = undefined;
  }
  if (places.size > 0) await index.loadEncoder();
  while (index.indexVectors(performance.now() + sliceMs)) await ownTurn();

  async function readLines(wanted: [string, Place][]): Promise<Map<string, string>> {
    const lines = new Map<string, string>();
    if (wanted.length === 0) return lines;
    const handle = await open(file, 'r');
    try {
      for (const [name, place] of wanted) {
        lines.set(name, await readAt(handle, place));
        await slice();
      }
    } finally {
      await handle.close();
    }
    return lines;
  }

  return {
    syncedAt,
    size: places.size,
    names: () => places.keys(),
    async find(name) {
      const place = places.get(name) ?? withdrawn.get(name);
      if (!place) return undefined;
      try {
        const entry = parseEntry(JSON.parse((await readLines([[name, place]])).get(name) ?? ''));
        // If the file has been replaced since, this position may contain another entry.
        return entry?.name === name ? entry : undefined;
      } catch {
        return undefined;
      }
    },
    search(query, limit) {
      if (query.trim() !== '')
        return index.search(query, { limit }).map(({ key, relevance }) => ({ name: key, relevance }));
      const latest = [...places].sort(([, a], [, b]) => b.updatedAt - a.updatedAt).slice(0, limit);
      return latest.map(([name, { updatedAt }]) => ({ name, relevance: updatedAt }));
    },
    lines: () => readLines([...places, ...withdrawn]),
  };
}

/** Deletes the files of writes that a killed process did not finish. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names)
    if (name.startsWith(basename(file) + temporarySuffix)) await rm(join(folder, name)).catch(() => undefined);
}

/** Replaces the file atomically, and returns its catalog, so that the new file is never read at the old positions. */
export async function writeCatalog(
  file: string,
  header: { url: string; syncedAt: number | undefined },
  lines: ReadonlyMap<string, string>,
  index: SearchIndex,
): Promise<Catalog> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}${temporarySuffix}${process.pid}`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    let batch = `${JSON.stringify({ version: 1, ...header })}\n`;
    for (const line of lines.values()) {
      batch += `${line}\n`;
      if (batch.length < 256 * 1024) continue;
      await handle.write(batch);
      batch = '';
    }
    await handle.write(batch);
    await handle.sync();
  } finally {
    await handle.close();
  }
  const catalog = await openCatalog(file, header.url, index, temporary);
  await rename(temporary, file);
  return catalog;
}

function addTo(index: SearchIndex, { name, title, description }: RegistryEntry): void {
  const [namespace = '', short = ''] = name.split('/');
  const start = (text: string) => text.slice(0, limits.registry.indexedCharacters);
  const words = { ...(title && { title: start(title) }), description: start(description), parameters: [], tags: [] };
  // The reverse domain of the namespace (`io.github`, `com`) says nothing about the server.
  const server = namespace.replace(/^(?:io\.github|io\.gitlab|[a-z]{2,3})\./, '');
  index.put([{ key: name, server, name: short.replace(/-?mcp-?(?:server)?/gi, ' ').trim() || short, ...words }]);
}

async function readAt(handle: FileHandle, { offset, length }: Place): Promise<string> {
  const buffer = Buffer.alloc(length);
  await handle.read(buffer, 0, length, offset);
  return buffer.toString('utf8');
}

async function* linesOf(file: string): AsyncGenerator<{ text: string; offset: number; length: number }> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, from)) {
      yield { text: rest.toString('utf8', from, end), offset: offset + from, length: end - from };
      from = end + 1;
    }
    offset += from;
    rest = rest.subarray(from);
  }
}
