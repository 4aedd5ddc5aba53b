/** The history on disk: one JSON Lines file per month, only appended to or deleted as a whole. */
import { appendFileSync } from 'node:fs';
import { appendFile, open, readdir, readFile, stat, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallRecord, callRecordSchema } from '../../../shared/model/call.ts';

const fileName = /^\d{4}-\d{2}\.jsonl$/;
/** Bytes of a file read at once. */
const chunkBytes = 1_000_000;

export interface Page {
  records: CallRecord[];
  next?: string;
}

export function historyFiles(folder: string) {
  const names = async () => (await readdir(folder)).filter((name) => fileName.test(name)).sort();

  /** A new line, if a crash or a full disk may have cut off the last one, which must not take the next record with it. */
  let separator = '\n';

  return {
    /** Writes all entries of a file, or none. */
    async append(entries: CallRecord[]): Promise<void> {
      const start = separator;
      separator = '\n';
      for (const [name, lines] of linesOf(entries)) {
        const file = join(folder, name);
        const { size } = await stat(file).catch(() => ({ size: 0 }));
        try {
          await appendFile(file, start + lines, { mode: 0o600 });
        } catch (error) {
          // A second attempt must not repeat the records that were written.
          await truncate(file, size);
          throw error;
        }
      }
      separator = '';
    },
    /** Blocks until the entries are written. */
    appendSync(entries: CallRecord[]): void {
      for (const [file, lines] of linesOf(entries))
        appendFileSync(join(folder, file), separator + lines, { mode: 0o600 });
    },
    /** The last `count` records, oldest first; unreadable lines are skipped. */
    async recent(count: number): Promise<CallRecord[]> {
      const contents = await Promise.all((await names()).slice(-2).map((name) => readFile(join(folder, name), 'utf8')));
      return contents
        .flatMap((text) => text.split('\n'))
        .filter((line) => line !== '')
        .slice(-count)
        .flatMap(parseLine);
    },
    /**
     * The records after `after`, which is the `next` of an earlier page. Oldest first, about one megabyte of files at a
     * time.
     */
    async page(after: string | undefined, isMatch: (entry: CallRecord) => boolean): Promise<Page> {
      const [, month, offset] = /^(\d{4}-\d{2}):(\d{1,15})$/.exec(after ?? '') ?? [];
      const all = await names();
      const name = all.find((candidate) => month === undefined || candidate >= `${month}.jsonl`);
      if (name === undefined) return { records: [] };
      const start = name === `${month}.jsonl` ? Number(offset) : 0;
      const { lines, end } = await readLines(join(folder, name), start);
      const records = lines.flatMap(parseLine).filter(isMatch);
      if (lines.length > 0) return { records, next: `${name.slice(0, 7)}:${end}` };
      const later = all[all.indexOf(name) + 1];
      return { records, next: later && `${later.slice(0, 7)}:0` };
    },
    /** Deletes the files of all but the last `months` months; resolves with the start of the oldest month kept (epoch ms). */
    async prune(months: number): Promise<number> {
      const now = new Date();
      const oldest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1);
      const old = (await names()).filter((name) => name < `${monthOf(oldest)}.jsonl`);
      await Promise.all(old.map((name) => unlink(join(folder, name))));
      return oldest;
    },
  };
}

/** The lines to append, by file. Each record goes to the file of its own month, because a month is deleted as a whole. */
function linesOf(entries: CallRecord[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const entry of entries) {
    const file = `${monthOf(entry.at)}.jsonl`;
    lines.set(file, `${lines.get(file) ?? ''}${JSON.stringify(entry)}\n`);
  }
  return lines;
}

/** Whole lines from `start`. A last line without a newline is still being written, or was cut off by a crash. */
async function readLines(file: string, start: number): Promise<{ lines: string[]; end: number }> {
  const handle = await open(file);
  try {
    let buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes);
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes, start + buffer.length);
      buffer = Buffer.concat([buffer, chunk.subarray(0, bytesRead)]);
      const last = buffer.lastIndexOf(10);
      if (last >= 0) return { lines: buffer.toString('utf8', 0, last).split('\n'), end: start + last + 1 };
      if (bytesRead === 0) return { lines: [], end: start };
    }
  } finally {
    await handle.close();
  }
}

/** `YYYY-MM` in UTC. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

function parseLine(line: string): CallRecord[] {
  try {
    return [callRecordSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
