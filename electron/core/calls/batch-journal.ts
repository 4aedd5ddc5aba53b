/**
 * Keeps on disk how far a batch has come. Core, the client or the computer may end during a batch; the client's next
 * request for the same calls then learns what happened, and nothing runs twice.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';

/** `unknown`: the server may have received the call. A call without a status did not run. */
export type JournalStatus = 'ok' | 'denied' | 'error' | 'not_run' | 'unknown';

/** The journals of one Core. */
export type BatchJournals = ReturnType<typeof createBatchJournals>;

export interface BatchJournal {
  /**
   * The statuses of the last run of these calls, by index, if they may not have reached the client. Returns them to each
   * connection only once.
   */
  unread(): Promise<ReadonlyMap<number, JournalStatus> | undefined>;
  /** Rejects if the same calls run already, or if the file cannot be written. */
  open(): Promise<void>;
  /** Resolves when the disk has the status. */
  set(index: number, status: JournalStatus): Promise<void>;
  close(options: { isInterrupted: boolean }): Promise<void>;
}

const lineSchema = z.tuple([z.number(), z.enum(['ok', 'denied', 'error', 'not_run', 'unknown'])]);
/** How long an interrupted run is remembered, in milliseconds. */
const keepMs = 24 * 60 * 60_000;
/** The same for a finished run whose result may not have reached the client. */
const keepFinishedMs = 10 * 60_000;

export function createBatchJournals(folder: string) {
  const runs: Runs = new Map();
  return {
    /** `key` identifies the client and the calls; `connection` is the one that sent them. */
    of: (key: string, count: number, connection: string): BatchJournal =>
      journalAt(join(folder, `${key}.jsonl`), { count, connection, runs }),
    /** Ends a connection: the statuses that it received may not have reached its client. */
    drop(connection: string): void {
      for (const [path, run] of runs) if (run.readBy === connection) runs.delete(path);
    },
    /** Forgets the runs of which a client has received the statuses. */
    async close(): Promise<void> {
      for (const [path, { readBy }] of runs) if (readBy !== undefined) await rm(path, { force: true });
    },
  };
}

/**
 * By path, the runs of this Core that have not ended, and those of which a connected client received the statuses. Parked
 * calls keep the results for their clients.
 */
type Runs = Map<string, { readBy?: string }>;

function journalAt(
  path: string,
  { count, connection, runs }: { count: number; connection: string; runs: Runs },
): BatchJournal {
  const folder = dirname(path);
  let file: FileHandle | undefined;
  const refuseSecond = () => {
    const run = runs.get(path);
    if (run && run.readBy === undefined)
      throw fail('INPUT_INVALID', 'The same calls are running for this client. None ran again; wait for their result.');
  };
  return {
    async unread() {
      refuseSecond();
      if (runs.has(path)) return undefined;
      const found = await read(path);
      if (!found) return undefined;
      const isFinished = found.statuses.size === count && ![...found.statuses.values()].includes('unknown');
      if (found.ageMs >= (isFinished ? keepFinishedMs : keepMs)) return undefined;
      runs.set(path, { readBy: connection });
      return found.statuses;
    },
    async open() {
      refuseSecond();
      runs.set(path, {});
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOld(folder);
        await rm(path, { force: true });
        // Synchronous, so that the status of a call reaches the disk before the call reaches its server.
        file = await open(path, 'as', 0o600);
      } catch (error) {
        runs.delete(path);
        throw error;
      }
    },
    set: async (index, status) => file?.appendFile(`${JSON.stringify([index, status])}\n`),
    async close({ isInterrupted }) {
      if (isInterrupted) runs.delete(path);
      else runs.set(path, { readBy: connection });
      await file?.close();
    },
  };
}

async function read(path: string) {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return { statuses: new Map(text.split('\n').flatMap(statusIn)), ageMs: Date.now() - mtimeMs };
  } catch {
    return undefined;
  }
}

/** None for a line that was cut off: its call had not reached the server. */
function statusIn(line: string): [number, JournalStatus][] {
  try {
    return [lineSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > keepMs) await rm(path, { force: true });
  }
}
