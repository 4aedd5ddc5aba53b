/** The catalog on disk: one JSON file, private to the person, replaced as a whole so that a crash leaves the old one. */
import { readFile, rename } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import type { Discovered } from '../discovery/discovery.ts';

export interface CatalogEntry {
  readonly discovered: Discovered;
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
const version = 1;

/** How long changes are gathered before they are written. */
const quietMs = 500;

/** The entries kept in `file`: none when there is no file, or when it is damaged, which is set aside with a warning. */
export async function readSnapshot(
  file: string,
  warn: (message: string) => void,
): Promise<[server: string, entry: CatalogEntry][]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      warn(`The catalog ${file} cannot be read: ${String(error)}`);
    return [];
  }
  try {
    const kept = JSON.parse(text) as { version: unknown; servers: unknown[] };
    if (typeof kept.version === 'number' && kept.version !== version) return [];
    return kept.servers.map(checkedEntry);
  } catch (error) {
    const aside = `${file}.damaged`;
    const moved = await rename(file, aside).then(
      () => `It was set aside as ${aside}`,
      () => 'It will be overwritten',
    );
    warn(`The catalog ${file} is damaged (${(error as Error).message}). ${moved}; servers are discovered anew.`);
    return [];
  }
}

/** Checks as much of an entry as the code that uses it takes for granted; throws otherwise. */
function checkedEntry(raw: unknown): [string, CatalogEntry] {
  const { server, configHash, discoveredAt, discovered, updatedFrom } = raw as { server: unknown } & CatalogEntry;
  const lists = [discovered.tools, discovered.prompts, discovered.resources, discovered.resourceTemplates];
  const sound =
    typeof server === 'string' &&
    typeof configHash === 'string' &&
    Number.isFinite(discoveredAt) &&
    [...lists, discovered.warnings].every(Array.isArray) &&
    lists.flat().every((item) => typeof item === 'object' && item !== null) &&
    discovered.tools.every(
      (tool) =>
        tool.server === server &&
        tool.key === `${server}::${tool.name}` &&
        typeof tool.shownName === 'string' &&
        typeof tool.fingerprint === 'string' &&
        typeof tool.definition?.inputSchema === 'object' &&
        typeof tool.annotations?.safetyLevel === 'string' &&
        Array.isArray(tool.findings),
    );
  if (!sound) throw new Error(`the entry of ${JSON.stringify(server)} is incomplete`);
  const isUpdated = typeof updatedFrom?.version === 'string' && Number.isFinite(updatedFrom.at);
  return [server, { configHash, discoveredAt, discovered, ...(isUpdated && { updatedFrom }) }];
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

/** One server a line. Servers are turned into text one by one, so that ten thousand tools do not hold up a call. */
async function serialise(entries: ReadonlyMap<string, CatalogEntry>): Promise<string> {
  const lines: string[] = [];
  let since = performance.now();
  for (const [server, entry] of [...entries]) {
    lines.push(JSON.stringify({ server, ...entry }));
    if (performance.now() - since < 10) continue;
    await turn();
    since = performance.now();
  }
  return `{"version":${version},"servers":[\n${lines.join(',\n')}\n]}\n`;
}
