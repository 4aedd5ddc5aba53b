/** The append-only history of calls, questions and grants, and the statistics computed from it. */
import { mkdir } from 'node:fs/promises';
import { blameless } from '../../../shared/failure.ts';
import type { CallFilter, CallRecord, CallStatistics } from '../../../shared/model/call.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import { fitsToolKey, toolKey } from '../../../shared/tool-key.ts';
import { historyFiles, monthOf, type Page } from './monthly-files.ts';

/** `arguments` may be a function, which is called later: redacting large arguments must not delay the response. */
export type NewRecord = OmitArguments<CallRecord> & { arguments: string | (() => string) };

type OmitArguments<R> = R extends unknown ? Omit<R, 'arguments'> : never;

export type History = Awaited<ReturnType<typeof openHistory>>;

/** Number of records kept in memory; older ones remain in the files. */
const maxInMemory = 5_000;
/** Records that arrive within this time are written together. */
const batchMs = 50;

interface Counters {
  total: number;
  failed: number;
  totalMs: number;
}

/** Opens the history in `folder`. Callers redact records; `redact` also removes values that only the vault knows. */
export async function openHistory(
  folder: string,
  onRecord: (entry: CallRecord) => void,
  redact: (text: string) => string = (text) => text,
) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = historyFiles(folder);
  const records = await files.recent(maxInMemory);
  const counters = new Map<string, Counters>();
  /** Records whose arguments have not been computed yet. */
  let incoming: NewRecord[] = [];
  let unwritten: CallRecord[] = [];
  let batchTimer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let retentionMonths = 0;
  let lastPrunedMonth = '';
  for (const entry of records) count(entry);

  function count(entry: NewRecord): void {
    if (entry.kind !== 'call' || isBlameless(entry)) return;
    for (const key of [entry.server, toolKey(entry.server, entry.tool)]) {
      const known = counters.get(key) ?? { total: 0, failed: 0, totalMs: 0 };
      known.total += 1;
      known.totalMs += entry.durationMs - (entry.waitedMs ?? 0);
      if (entry.outcome !== 'ok') known.failed += 1;
      counters.set(key, known);
    }
  }

  function statistics(key: string): CallStatistics {
    const { total, failed, totalMs } = counters.get(key) ?? { total: 0, failed: 0, totalMs: 0 };
    return { total, failed, averageMs: total === 0 ? 0 : totalMs / total };
  }

  function finishIncoming(): void {
    const batch = incoming;
    incoming = [];
    for (const { arguments: args, ...rest } of batch) {
      const entry: CallRecord = { ...rest, arguments: redact(typeof args === 'string' ? args : args()) };
      if (entry.kind === 'call' && entry.message) entry.message = redact(entry.message);
      records.push(entry);
      unwritten.push(entry);
      onRecord(entry);
    }
    if (records.length > 2 * maxInMemory) records.splice(0, records.length - maxInMemory);
  }

  function takeUnwritten(): CallRecord[] {
    const batch = unwritten;
    unwritten = [];
    return batch;
  }

  async function write(): Promise<void> {
    const batch = takeUnwritten();
    try {
      if (batch.length > 0) await files.append(batch);
    } catch (error) {
      // The disk may be full. The next record tries again.
      unwritten = [...batch, ...unwritten].slice(-maxInMemory);
      throw error;
    }
    if (retentionMonths > 0 && monthOf(Date.now()) !== lastPrunedMonth) await prune();
  }

  async function prune(): Promise<void> {
    lastPrunedMonth = monthOf(Date.now());
    const oldest = await files.prune(retentionMonths);
    const kept = records.filter(({ at }) => at >= oldest);
    records.splice(0, records.length, ...kept);
  }

  /** Resolves when everything recorded so far is on disk. */
  function flush(): Promise<void> {
    clearTimeout(batchTimer);
    batchTimer = undefined;
    finishIncoming();
    writing = writing.then(write).catch(() => undefined);
    return writing;
  }

  return {
    record(entry: NewRecord): void {
      incoming.push(entry);
      count(entry);
      // Opening a file for each record would slow down quick calls.
      batchTimer ??= setTimeout(flush, batchMs);
    },
    /** The records in memory that match, newest first. */
    list({ limit = 200, ...filter }: CallFilter & { limit?: number }): CallRecord[] {
      finishIncoming();
      const isMatch = matches(filter);
      const found: CallRecord[] = [];
      for (let at = records.length - 1; at >= 0 && found.length < limit; at -= 1) {
        const entry = records[at] as CallRecord;
        if (isMatch(entry)) found.push(entry);
      }
      return found;
    },
    /** The time of the oldest record in memory, in epoch milliseconds. */
    oldest(): number | undefined {
      finishIncoming();
      return records[0]?.at;
    },
    /** The whole history, oldest first. Call again with `next` until it is undefined. */
    async page(filter: CallFilter, after?: string): Promise<Page> {
      await flush();
      return files.page(after, matches(filter));
    },
    /** Deletes records older than `months`, now and at the beginning of each month; 0 keeps everything. */
    async setRetention(months: number): Promise<void> {
      retentionMonths = months;
      await flush();
      if (months > 0) await prune();
    },
    serverStatistics: statistics,
    toolStatistics: (server: string, tool: string): CallStatistics => statistics(toolKey(server, tool)),
    /** The figures of the tools that were called, by the tool's key. */
    usedTools(): { key: string; calls: CallStatistics }[] {
      const keys = [...counters.keys()].filter((key) => !fitsToolKey(key));
      return keys.map((key) => ({ key, calls: statistics(key) }));
    },
    /** How often the tool with key `server::tool` runs successfully: 0 for never, approaching 1. */
    usage(key: string): number {
      const { total, failed } = statistics(key);
      return (total - failed) / (total - failed + 10);
    },
    flush,
    /** Blocks until everything recorded so far is on disk, because the process is about to be killed. */
    flushSync(): void {
      finishIncoming();
      const batch = takeUnwritten();
      if (batch.length > 0) files.appendSync(batch);
    },
  };
}

/** A call that Toolkeep or the user refused says nothing about its tool, but a call whose server did not start does. */
function isBlameless({ outcome, code = '' }: OmitArguments<CallRecord> & { kind: 'call' }): boolean {
  if (blameless.has(code)) return true;
  return outcome === 'refused' && (code === 'SERVER_NOT_FOUND' || !code.startsWith('SERVER_'));
}

/** All given criteria must match; `text` is searched in every readable field of a record. */
function matches({ server, client, kind, text, from, to }: CallFilter): (entry: CallRecord) => boolean {
  const needle = text?.toLowerCase();
  return (entry) =>
    (!server || entry.server === server) &&
    (!client || entry.client === client) &&
    (!kind || entry.kind === kind) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at <= to) &&
    (!needle || searchableText(entry).includes(needle));
}

const searchableText = (record: CallRecord) => {
  const { client, server, tool, arguments: args, code = '' } = record;
  return `${client} ${server} ${tool} ${args} ${outcomeLabel(record)} ${code}`.toLowerCase();
};
