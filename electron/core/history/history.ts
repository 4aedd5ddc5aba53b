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

export interface History {
  record(entry: NewRecord): void;
  /** The records in memory that match, newest first. */
  list(filter: CallFilter & { limit?: number }): CallRecord[];
  /** The time of the oldest record in memory, in epoch milliseconds. */
  oldest(): number | undefined;
  /** The whole history, oldest first. Call again with `next` until it is undefined. */
  page(filter: CallFilter, after?: string): Promise<Page>;
  /** Deletes records older than `months`, now and at the beginning of each month; 0 keeps everything. */
  setRetention(months: number): Promise<void>;
  serverStatistics(server: string): CallStatistics;
  toolStatistics(server: string, tool: string): CallStatistics;
  /** The figures of the tools that were called, by the tool's key. */
  usedTools(): { key: string; calls: CallStatistics }[];
  /** How often the tool with key `server::tool` runs successfully: 0 for never, approaching 1. */
  usage(key: string): number;
  /** Resolves when everything recorded so far is on disk. */
  flush(): Promise<void>;
  /** Blocks until everything recorded so far is on disk, because the process is about to be killed. */
  flushSync(): void;
}

/** Number of records kept in memory; older ones remain in the files. */
const maxInMemory = 5_000;
/** Records that arrive within this time are written together. */
const batchMs = 50;

/** Opens the history in `folder`. Callers redact records; `redact` also removes values that only the vault knows. */
export async function openHistory(
  folder: string,
  onRecord: (entry: CallRecord) => void,
  redact: (text: string) => string = (text) => text,
): Promise<History> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = historyFiles(folder);
  return new FileHistory(files, await files.recent(maxInMemory), onRecord, redact);
}

interface Counters {
  total: number;
  failed: number;
  totalMs: number;
}

class FileHistory implements History {
  readonly #files: ReturnType<typeof historyFiles>;
  readonly #records: CallRecord[];
  readonly #onRecord: (entry: CallRecord) => void;
  readonly #redact: (text: string) => string;
  readonly #counters = new Map<string, Counters>();
  /** Records whose arguments have not been computed yet. */
  #incoming: NewRecord[] = [];
  #unwritten: CallRecord[] = [];
  #batchTimer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #retentionMonths = 0;
  #lastPrunedMonth = '';

  constructor(
    files: ReturnType<typeof historyFiles>,
    records: CallRecord[],
    onRecord: (entry: CallRecord) => void,
    redact: (text: string) => string,
  ) {
    this.#redact = redact;
    this.#files = files;
    this.#records = records;
    this.#onRecord = onRecord;
    for (const entry of records) this.#count(entry);
  }

  record = (entry: NewRecord): void => {
    this.#incoming.push(entry);
    this.#count(entry);
    // Opening a file for each record would slow down quick calls.
    this.#batchTimer ??= setTimeout(this.flush, batchMs);
  };

  list({ limit = 200, ...filter }: CallFilter & { limit?: number }): CallRecord[] {
    this.#finishIncoming();
    const isMatch = matches(filter);
    const found: CallRecord[] = [];
    for (let at = this.#records.length - 1; at >= 0 && found.length < limit; at -= 1) {
      const entry = this.#records[at] as CallRecord;
      if (isMatch(entry)) found.push(entry);
    }
    return found;
  }

  oldest(): number | undefined {
    this.#finishIncoming();
    return this.#records[0]?.at;
  }

  async page(filter: CallFilter, after?: string): Promise<Page> {
    await this.flush();
    return this.#files.page(after, matches(filter));
  }

  async setRetention(months: number): Promise<void> {
    this.#retentionMonths = months;
    await this.flush();
    if (months > 0) await this.#prune();
  }

  serverStatistics(server: string): CallStatistics {
    return this.#statistics(server);
  }

  toolStatistics(server: string, tool: string): CallStatistics {
    return this.#statistics(toolKey(server, tool));
  }

  usedTools(): { key: string; calls: CallStatistics }[] {
    const keys = [...this.#counters.keys()].filter((key) => !fitsToolKey(key));
    return keys.map((key) => ({ key, calls: this.#statistics(key) }));
  }

  usage = (key: string): number => {
    const { total, failed } = this.#statistics(key);
    return (total - failed) / (total - failed + 10);
  };

  flush = (): Promise<void> => {
    clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    this.#finishIncoming();
    this.#writing = this.#writing.then(this.#write).catch(() => undefined);
    return this.#writing;
  };

  flushSync = (): void => {
    this.#finishIncoming();
    const batch = this.#unwritten;
    this.#unwritten = [];
    if (batch.length > 0) this.#files.appendSync(batch);
  };

  #count(entry: NewRecord): void {
    if (entry.kind !== 'call' || isBlameless(entry)) return;
    for (const key of [entry.server, toolKey(entry.server, entry.tool)]) {
      const counters = this.#counters.get(key) ?? { total: 0, failed: 0, totalMs: 0 };
      counters.total += 1;
      counters.totalMs += entry.durationMs - (entry.waitedMs ?? 0);
      if (entry.outcome !== 'ok') counters.failed += 1;
      this.#counters.set(key, counters);
    }
  }

  #statistics(key: string): CallStatistics {
    const { total, failed, totalMs } = this.#counters.get(key) ?? { total: 0, failed: 0, totalMs: 0 };
    return { total, failed, averageMs: total === 0 ? 0 : totalMs / total };
  }

  #finishIncoming(): void {
    const batch = this.#incoming;
    this.#incoming = [];
    for (const { arguments: args, ...rest } of batch) {
      const entry: CallRecord = { ...rest, arguments: this.#redact(typeof args === 'string' ? args : args()) };
      if (entry.kind === 'call' && entry.message) entry.message = this.#redact(entry.message);
      this.#records.push(entry);
      this.#unwritten.push(entry);
      this.#onRecord(entry);
    }
    if (this.#records.length > 2 * maxInMemory) this.#records.splice(0, this.#records.length - maxInMemory);
  }

  readonly #write = async (): Promise<void> => {
    const batch = this.#unwritten;
    this.#unwritten = [];
    if (batch.length > 0) await this.#files.append(batch);
    if (this.#retentionMonths > 0 && monthOf(Date.now()) !== this.#lastPrunedMonth) await this.#prune();
  };

  async #prune(): Promise<void> {
    this.#lastPrunedMonth = monthOf(Date.now());
    const oldest = await this.#files.prune(this.#retentionMonths);
    const kept = this.#records.filter(({ at }) => at >= oldest);
    this.#records.splice(0, this.#records.length, ...kept);
  }
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
