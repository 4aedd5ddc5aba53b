/** The append-only history of calls, questions and grants, one file a month, and the statistics drawn from it (row A13). */
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallRecord, callRecordSchema } from '../../../shared/model.ts';

export interface CallStatistics {
  total: number;
  failed: number;
  averageMs: number;
}

/** `arguments` as a function is called a moment later, so that masking keeps no answer waiting. */
export type NewRecord = Omit<CallRecord, 'arguments'> & { arguments: string | (() => string) };

export interface Audit {
  record(entry: NewRecord): void;
  /** Newest first. */
  list(filter: { server?: string | undefined; text?: string | undefined; limit?: number | undefined }): CallRecord[];
  ofServer(server: string): CallStatistics;
  ofTool(server: string, tool: string): CallStatistics;
  /** Resolves when everything recorded so far is on disk. */
  flush(): Promise<void>;
}

/** How many records are kept in memory; older ones stay in their files. */
const keptInMemory = 5_000;
/** Entries that come within so long are finished and written together. */
const gatherMs = 20;

/** Opens the history in `folder`; lines that cannot be read are passed over. Entries must come redacted. */
export async function openAudit(folder: string, onRecord: (entry: CallRecord) => void): Promise<Audit> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const records = await loadRecent(folder);
  const statistics = new Map<string, { total: number; failed: number; totalMs: number }>();
  let writing: Promise<void> = Promise.resolve();
  let fresh: NewRecord[] = [];
  let lines: string[] = [];
  let gathering: NodeJS.Timeout | undefined;

  function count(entry: NewRecord): void {
    if (entry.kind !== 'call') return;
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
      lines.push(`${JSON.stringify(entry)}\n`);
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
    if (lines.length === 0) return;
    const batch = lines.join('');
    lines = [];
    const month = new Date().toISOString().slice(0, 7);
    await appendFile(join(folder, `${month}.jsonl`), batch, { mode: 0o600 });
  }

  for (const entry of records) count(entry);
  return {
    record(entry) {
      fresh.push(entry);
      count(entry);
      // Opening a file for each entry would slow down quick calls.
      gathering ??= setTimeout(flush, gatherMs);
    },
    list({ server, text, limit = 200 }) {
      settle();
      const needle = text?.toLowerCase();
      const fits = (entry: CallRecord) =>
        (!server || entry.server === server) &&
        (!needle ||
          `${entry.client} ${entry.server} ${entry.tool} ${entry.arguments} ${entry.outcome}`
            .toLowerCase()
            .includes(needle));
      return records.toReversed().filter(fits).slice(0, limit);
    },
    ofServer: statisticsOf,
    ofTool: (server, tool) => statisticsOf(`${server}::${tool}`),
    flush,
  };
}

async function loadRecent(folder: string): Promise<CallRecord[]> {
  const files = (await readdir(folder))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .slice(-2);
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .slice(-keptInMemory)
    .flatMap(parseLine);
}

function parseLine(line: string): CallRecord[] {
  try {
    return [callRecordSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
