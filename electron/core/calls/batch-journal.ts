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
export interface BatchJournals {
  /** `key` identifies the client and the calls. */
  of(key: string, count: number): BatchJournal;
  /** Forgets the runs that have finished. */
  close(): Promise<void>;
}

export interface BatchJournal {
  /** The statuses of the last run of these calls, by index, if it was interrupted. Returns them only once. */
  takeInterrupted(): Promise<ReadonlyMap<number, JournalStatus> | undefined>;
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

export function createBatchJournals(folder: string): BatchJournals {
  /** The runs of this Core, by path. Parked calls keep the results of finished runs for their clients. */
  const runs = new Map<string, 'running' | 'finished'>();
  return {
    of: (key, count) => journalAt(join(folder, `${key}.jsonl`), count, runs),
    async close() {
      for (const [path, state] of runs) if (state === 'finished') await rm(path, { force: true });
    },
  };
}

function journalAt(path: string, count: number, runs: Map<string, 'running' | 'finished'>): BatchJournal {
  const folder = dirname(path);
  let file: FileHandle | undefined;
  const refuseSecond = () => {
    if (runs.get(path) === 'running')
      throw fail('INPUT_INVALID', 'The same calls are running for this client. None ran again; wait for their result.');
  };
  return {
    async takeInterrupted() {
      refuseSecond();
      if (runs.get(path) === 'finished') return undefined;
      const found = await read(path);
      if (!found) return undefined;
      await rm(path, { force: true });
      const isFinished = found.statuses.size === count && ![...found.statuses.values()].includes('unknown');
      return found.ageMs < (isFinished ? keepFinishedMs : keepMs) ? found.statuses : undefined;
    },
    async open() {
      refuseSecond();
      runs.set(path, 'running');
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
      else runs.set(path, 'finished');
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
