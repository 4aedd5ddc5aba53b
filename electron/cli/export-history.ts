/** Writes the history, or the records that match a filter, to a file or to stdout, page by page. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { fail } from '../../shared/failure.ts';
import { csvHeader, csvRow } from '../../shared/history-csv.ts';
import type { CallFilter, CallRecord } from '../../shared/model/call.ts';
import type { CoreClient } from '../../shared/protocol/contract.ts';

export type ExportFormat = 'csv' | 'json';

/** The beginning, one record, and the end of each format. */
const formats: Record<ExportFormat, { head: string; row(record: CallRecord, isFirst: boolean): string; tail: string }> =
  {
    csv: { head: csvHeader, row: csvRow, tail: '' },
    json: {
      head: '[',
      row: (record, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(record)}`,
      tail: '\n]\n',
    },
  };

/** Resolves with the number of records. Creates the file with mode 0600 and never overwrites an existing file. */
export async function exportHistory(
  client: CoreClient,
  filter: CallFilter,
  { format, file: path }: { format: ExportFormat; file: string | undefined },
): Promise<number> {
  const { head, row, tail } = formats[format];
  const out = path === undefined ? process.stdout : createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  try {
    if (path !== undefined) await once(out, 'open');
    await write(head);
    let count = 0;
    for (let after: string | undefined; ; ) {
      const { records, next } = await client.call('history.page', { ...filter, ...(after && { after }) });
      for (const record of records) {
        await write(row(record, count === 0));
        count += 1;
      }
      if (next === undefined || next === after) break;
      after = next;
    }
    await write(tail);
    return count;
  } catch (error) {
    throw path === undefined ? error : unwritable(path, error);
  } finally {
    if (path !== undefined) await finished(out.end()).catch(() => undefined);
  }
}

/** Turns a file system error into a failure that explains it; returns any other error unchanged. */
export function unwritable(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (code === 'EEXIST') return fail('INPUT_INVALID', `${path} already exists.`, { hint: 'Choose another file name.' });
  if (code === 'ENOENT')
    return fail('INPUT_INVALID', `${path} cannot be written: ${dirname(path)} does not exist.`, {
      hint: 'Create the folder, or choose another one.',
    });
  return fail('INPUT_INVALID', `${path} cannot be written (${code}).`, {
    hint: 'Check that the folder exists and that you may write to it.',
  });
}
