/** The catalog on disk: one JSON file, private to the person, replaced as a whole so that a crash leaves the old one. */
import { createReadStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import type { Discovered } from '../discovery/discovery.ts';
import { KeptTool, type ToolRecord } from './kept-tool.ts';

export interface CatalogEntry {
  readonly discovered: Omit<Discovered, 'tools'> & { tools: KeptTool[] };
  /** Epoch milliseconds. */
  readonly discoveredAt: number;
  /** Hash of the server's configuration; an entry of another configuration is out of date. */
  readonly configHash: string;
  /** The version that it said before the present one, and when that was seen to be gone, in epoch milliseconds. */
  readonly updatedFrom?: { version: string; at: number };
}

/**
 * Raise it when the form of an entry or the way tools are judged changes: entries of another version are forgotten and
 * discovered again, so that an old verdict on a tool's safety never outlives an update.
 */
const version = 2;

/** One line for each server, between these. */
const head = `{"version":${version},"servers":[`;
const tail = ']}';

type EntryRecord = Omit<CatalogEntry, 'discovered'> & {
  server: string;
  discovered: Omit<CatalogEntry['discovered'], 'tools'> & { tools: ToolRecord[] };
};

/** How long changes are gathered before they are written. */
const quietMs = 500;

/** The entries kept in `file`: none when there is no file, or when it is damaged, which is set aside with a warning. */
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
    warn(`The catalog ${file} is damaged (${message}). ${moved}; servers are discovered anew.`);
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
      if (line !== head) throw new Error('it does not begin as a catalog');
    } else if (line !== tail) entries.push(checkedEntry(JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line)));
    last = line;
  }
  if (last !== tail) throw new Error('its end is missing');
  return entries;
}

/** Never more than a piece at a time: what is read but not kept would stay with the process as empty room. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let held = '';
  for await (const piece of createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = (held + piece).split('\n');
    held = lines.pop() ?? '';
    yield* lines;
  }
  if (held !== '') yield held;
}

/** Checks as much of an entry as the code that uses it takes for granted; throws otherwise. */
function checkedEntry(raw: unknown): [string, CatalogEntry] {
  const { server, configHash, discoveredAt, discovered, updatedFrom } = raw as EntryRecord;
  const { prompts, resources, resourceTemplates, warnings } = discovered;
  const lists = [discovered.tools, prompts, resources, resourceTemplates];
  const sound =
    typeof server === 'string' &&
    typeof configHash === 'string' &&
    Number.isFinite(discoveredAt) &&
    [...lists, warnings].every(Array.isArray) &&
    lists.flat().every((item) => typeof item === 'object' && item !== null) &&
    discovered.tools.every(
      (tool) =>
        tool.server === server &&
        tool.key === `${server}::${tool.name}` &&
        typeof tool.shownName === 'string' &&
        typeof tool.fingerprint === 'string' &&
        typeof tool.definition === 'string' &&
        typeof tool.annotations?.safetyLevel === 'string' &&
        typeof tool.metadata === 'object' &&
        Array.isArray(tool.findings),
    );
  if (!sound) throw new Error(`the entry of ${JSON.stringify(server)} is incomplete`);
  const tools = discovered.tools.map((tool) => new KeptTool({ ...tool, server }));
  const isUpdated = typeof updatedFrom?.version === 'string' && Number.isFinite(updatedFrom.at);
  const entry = { configHash, discoveredAt, discovered: { ...discovered, tools } };
  return [server, isUpdated ? { ...entry, updatedFrom } : entry];
}

export interface Snapshot {
  /** Something changed: write soon. */
  touch(): void;
  /** Resolves when everything up to now is on disk. A failed write is warned of, never thrown. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createSnapshot(
  file: string,
  entries: () => ReadonlyMap<string, CatalogEntry>,
  warn: (message: string) => void,
): Snapshot {
  let timer: NodeJS.Timeout | undefined;
  let dirty = false;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    if (!dirty) return;
    dirty = false;
    try {
      await writeFileAtomic(file, await serialise(entries()), { mode: 0o600 });
    } catch (error) {
      // A full disk must not stop the gateway: the catalog lives on in memory, and the next change tries again.
      warn(`The catalog ${file} could not be written: ${(error as Error).message}`);
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  return {
    touch() {
      dirty = true;
      if (timer) return;
      timer = setTimeout(() => void flush(), quietMs);
      timer.unref();
    },
    flush,
    close: flush,
  };
}

/** Servers are turned into text one by one, so that ten thousand tools do not hold up a call. */
async function serialise(entries: ReadonlyMap<string, CatalogEntry>): Promise<string> {
  const lines: string[] = [];
  let since = performance.now();
  for (const [server, entry] of [...entries]) {
    const tools = entry.discovered.tools.map((tool) => tool.record());
    const record: EntryRecord = { server, ...entry, discovered: { ...entry.discovered, tools } };
    lines.push(JSON.stringify(record));
    if (performance.now() - since < 10) continue;
    await turn();
    since = performance.now();
  }
  return [head, ...(lines.length > 0 ? [lines.join(',\n')] : []), tail, ''].join('\n');
}
