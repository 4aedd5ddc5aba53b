/** The append-only history of calls, questions and grants, one file a month, and the statistics drawn from it (row A13). */
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallRecord, callRecordSchema } from '../../../shared/model.ts';

export interface CallStatistics {
  total: number;
  failed: number;
  averageMs: number;
}

export interface Audit {
  record(entry: CallRecord): void;
  /** Newest first. */
  list(filter: { server?: string | undefined; text?: string | undefined; limit?: number | undefined }): CallRecord[];
  ofServer(server: string): CallStatistics;
  ofTool(server: string, tool: string): CallStatistics;
  /** Resolves when everything recorded so far is on disk. */
  flush(): Promise<void>;
}

/** How many records are kept in memory; older ones stay in their files. */
const keptInMemory = 5_000;

/** Opens the history in `folder`; lines that cannot be read are passed over. Entries must come redacted. */
export async function openAudit(folder: string, onRecord: (entry: CallRecord) => void): Promise<Audit> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const records = await loadRecent(folder);
  const statistics = new Map<string, { total: number; failed: number; totalMs: number }>();
  let writing: Promise<void> = Promise.resolve();
  let lines: string[] = [];

  function count(entry: CallRecord): void {
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
  /** Lines that pile up while one write runs go out together in the next. */
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
      records.push(entry);
      if (records.length > 2 * keptInMemory) records.splice(0, records.length - keptInMemory);
      count(entry);
      lines.push(`${JSON.stringify(entry)}\n`);
      writing = writing.then(write).catch(() => undefined);
      onRecord(entry);
    },
    list({ server, text, limit = 200 }) {
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
    flush: () => writing,
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
