/** The catalog on disk: one JSON file that only the user can read, replaced atomically. */
import { createReadStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import pLimit from 'p-limit';
import { toolKey } from '../../../../shared/tool-key.ts';
import { writePieces } from '../../files/write-pieces.ts';
import type { Discovered } from '../discovery/discovery.ts';
import { LazyTool, type ToolRecord } from './lazy-tool.ts';

export interface CatalogEntry {
  readonly discovered: Omit<Discovered, 'tools'> & { tools: LazyTool[] };
  /** Epoch milliseconds. */
  readonly discoveredAt: number;
  /** Hash of the server's configuration. An entry with a different hash is stale. */
  readonly configHash: string;
  /** The server's previous version, and when it was replaced, in epoch milliseconds. */
  readonly updatedFrom?: { version: string; at: number };
}

/**
 * Increment this when an entry's format or the assessment of tools changes. Entries of other versions are discovered
 * again, so that an outdated safety level never survives an update.
 */
export const version = 10;

/** Between these two strings, there is one line for each server. */
const head = `{"version":${version},"servers":[`;
const tail = ']}';

type EntryRecord = Omit<CatalogEntry, 'discovered'> & {
  server: string;
  discovered: Omit<CatalogEntry['discovered'], 'tools'> & { tools: ToolRecord[] };
};

/** Changes are collected for this many milliseconds before they are written. */
const quietMs = 500;

/** The entries in `file`. None if there is no file or it is damaged; a damaged file is renamed with a warning. */
export async function readSnapshot(
  file: string,
  warn: (message: string) => void,
): Promise<[server: string, entry: CatalogEntry][]> {
  try {
    return await readEntries(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code !== undefined) {
      warn(`The catalog ${file} cannot be read: ${String(error)}`);
      return [];
    }
    const aside = `${file}.damaged`;
    const moved = await rename(file, aside).then(
      () => `It was set aside as ${aside}`,
      () => 'It will be overwritten',
    );
    warn(`The catalog ${file} is damaged (${message}). ${moved}; servers are discovered again.`);
    return [];
  }
}

async function readEntries(file: string): Promise<[string, CatalogEntry][]> {
  const entries: [string, CatalogEntry][] = [];
  let last: string | undefined;
  for await (const line of linesOf(file)) {
    if (last === undefined) {
      const found = /^\{"version":(\d+)/.exec(line)?.[1];
      if (found !== undefined && Number(found) !== version) return [];
      if (line !== head) throw new Error('it does not start like a catalog');
    } else if (line !== tail) entries.push(checkedEntry(JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line)));
    last = line;
  }
  if (last !== tail) throw new Error('its end is missing');
  return entries;
}

/** Reads in chunks, because a large buffer would stay allocated in the process. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let held = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    yield* lines;
  }
  if (held !== '') yield held;
}

/** Checks that an entry has the fields that the code relies on; throws otherwise. */
function checkedEntry(raw: unknown): [string, CatalogEntry] {
  const { server, configHash, discoveredAt, discovered, updatedFrom } = raw as EntryRecord;
  const { prompts, resources, resourceTemplates, held = [], warnings } = discovered;
  const lists = [discovered.tools, prompts, resources, resourceTemplates, held];
  const sound =
    typeof server === 'string' &&
    typeof configHash === 'string' &&
    Number.isFinite(discoveredAt) &&
    [...lists, warnings].every(Array.isArray) &&
    lists.flat().every((item) => typeof item === 'object' && item !== null) &&
    discovered.tools.every(
      (tool) =>
        tool.server === server &&
        tool.key === toolKey(server, tool.name) &&
        typeof tool.shownName === 'string' &&
        typeof tool.fingerprint === 'string' &&
        typeof tool.definition === 'string' &&
        typeof tool.annotations?.safetyLevel === 'string' &&
        typeof tool.metadata === 'object' &&
        Array.isArray(tool.findings),
    );
  if (!sound) throw new Error(`the entry of ${JSON.stringify(server)} is incomplete`);
  const tools = discovered.tools.map((tool) => new LazyTool({ ...tool, server }));
  const isUpdated = typeof updatedFrom?.version === 'string' && Number.isFinite(updatedFrom.at);
  const entry = { configHash, discoveredAt, discovered: { ...discovered, tools } };
  return [server, isUpdated ? { ...entry, updatedFrom } : entry];
}

export function createSnapshot(
  file: string,
  entries: () => ReadonlyMap<string, CatalogEntry>,
  warn: (message: string) => void,
) {
  let timer: NodeJS.Timeout | undefined;
  let dirty = false;
  const inTurn = pLimit(1);

  const write = async () => {
    if (!dirty) return;
    dirty = false;
    try {
      await writePieces(file, serialized([...entries()]));
    } catch (error) {
      // A full disk must not stop the gateway. The catalog stays in memory, and the next change retries.
      warn(`The catalog ${file} could not be written: ${(error as Error).message}`);
    }
  };
  /** Resolves when all changes so far are on disk. A failed write causes a warning, never an error. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    return inTurn(write);
  };
  return {
    /** Schedules a write. */
    touch(): void {
      dirty = true;
      if (timer) return;
      timer = setTimeout(() => void flush(), quietMs);
      timer.unref();
    },
    flush,
    close: flush,
  };
}

/** One line for each server, in one piece for each tool, because a server may have thousands. */
function* serialized(entries: [server: string, entry: CatalogEntry][]): Generator<string> {
  yield head;
  let separator = '\n';
  for (const [server, { discovered, ...entry }] of entries) {
    const { tools, ...rest } = discovered;
    const record: EntryRecord = { server, ...entry, discovered: { ...rest, tools: [] } };
    yield `${separator}${JSON.stringify(record).slice(0, -']}}'.length)}`;
    for (const [at, tool] of tools.entries()) yield `${at > 0 ? ',' : ''}${JSON.stringify(tool.record())}`;
    yield ']}}';
    separator = ',\n';
  }
  yield `\n${tail}\n`;
}
