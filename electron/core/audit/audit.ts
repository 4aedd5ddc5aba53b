/** The append-only history of calls, questions and grants, and the statistics drawn from it (row A13). */
import { mkdir } from 'node:fs/promises';
import { blameless } from '../../../shared/failure.ts';
import type { CallFilter, CallRecord } from '../../../shared/model.ts';
import { historyFiles, monthOf, type Page } from './files.ts';
import { fits } from './filter.ts';

export { openSavings, type Savings } from './savings.ts';
export { estimateTokens } from './tokens.ts';

export interface CallStatistics {
  total: number;
  failed: number;
  averageMs: number;
}

/** `arguments` as a function is called a moment later, so that masking keeps no answer waiting. */
export type NewRecord = Omit<CallRecord, 'arguments'> & { arguments: string | (() => string) };

export interface Audit {
  record(entry: NewRecord): void;
  /** Newest first, of the last few thousand. */
  list(filter: CallFilter & { limit?: number | undefined }): CallRecord[];
  /** The whole history, oldest first; call again with `next` until there is none. */
  page(filter: CallFilter, after?: string): Promise<Page>;
  /** Removes what is older than so many months, now and whenever a month begins; 0 keeps all. */
  keep(months: number): Promise<void>;
  ofServer(server: string): CallStatistics;
  ofTool(server: string, tool: string): CallStatistics;
  /** How much the tool `server::tool` is run with success: 0 never, towards 1. */
  usage(key: string): number;
  /** Resolves when everything recorded so far is on disk. */
  flush(): Promise<void>;
}

/** How many records are kept in memory; older ones stay in their files. */
const keptInMemory = 5_000;
/** Entries that come within so long are finished and written together. */
const gatherMs = 50;

/** Opens the history in `folder`. Entries must come redacted. */
export async function openAudit(folder: string, onRecord: (entry: CallRecord) => void): Promise<Audit> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = historyFiles(folder);
  const records = await files.recent(keptInMemory);
  const statistics = new Map<string, { total: number; failed: number; totalMs: number }>();
  let writing: Promise<void> = Promise.resolve();
  let fresh: NewRecord[] = [];
  let unwritten: CallRecord[] = [];
  let gathering: NodeJS.Timeout | undefined;
  let keptMonths = 0;
  let prunedIn = '';

  function count(entry: NewRecord): void {
    // What a person refused was never the server's.
    if (entry.kind !== 'call' || (entry.code !== undefined && blameless.has(entry.code))) return;
    for (const key of [entry.server, `${entry.server}::${entry.tool}`]) {
      const sum = statistics.get(key) ?? { total: 0, failed: 0, totalMs: 0 };
      sum.total += 1;
      sum.totalMs += entry.durationMs;
      if (entry.outcome !== 'ok') sum.failed += 1;
      statistics.set(key, sum);
    }
  }
  function statisticsOf(key: string): CallStatistics {
    const sum = statistics.get(key) ?? { total: 0, failed: 0, totalMs: 0 };
    return { total: sum.total, failed: sum.failed, averageMs: sum.total === 0 ? 0 : sum.totalMs / sum.total };
  }
  /** Finishes what came within the last moment. */
  function settle(): void {
    const batch = fresh;
    fresh = [];
    for (const { arguments: args, ...rest } of batch) {
      const entry: CallRecord = { ...rest, arguments: typeof args === 'string' ? args : args() };
      records.push(entry);
      unwritten.push(entry);
      onRecord(entry);
    }
    if (records.length > 2 * keptInMemory) records.splice(0, records.length - keptInMemory);
  }
  function flush(): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    settle();
    writing = writing.then(write).catch(() => undefined);
    return writing;
  }
  async function write(): Promise<void> {
    const batch = unwritten;
    unwritten = [];
    if (batch.length > 0) await files.append(batch);
    if (keptMonths > 0 && monthOf(Date.now()) !== prunedIn) await prune();
  }
  async function prune(): Promise<void> {
    prunedIn = monthOf(Date.now());
    const oldest = await files.prune(keptMonths);
    const kept = records.filter(({ at }) => at >= oldest);
    records.splice(0, records.length, ...kept);
  }

  for (const entry of records) count(entry);
  return {
    record(entry) {
      fresh.push(entry);
      count(entry);
      // Opening a file for each entry would slow down quick calls.
      gathering ??= setTimeout(flush, gatherMs);
    },
    list({ limit = 200, ...filter }) {
      settle();
      const wanted = fits(filter);
      const found: CallRecord[] = [];
      for (let at = records.length - 1; at >= 0 && found.length < limit; at -= 1) {
        const entry = records[at] as CallRecord;
        if (wanted(entry)) found.push(entry);
      }
      return found;
    },
    async page(filter, after) {
      await flush();
      return files.page(after, fits(filter));
    },
    async keep(months) {
      keptMonths = months;
      await flush();
      if (months > 0) await prune();
    },
    ofServer: statisticsOf,
    ofTool: (server, tool) => statisticsOf(`${server}::${tool}`),
    usage(key) {
      const { total, failed } = statisticsOf(key);
      return (total - failed) / (total - failed + 10);
    },
    flush,
  };
}
