/** The history as CSV (RFC 4180, times in ISO 8601), the same for the window and the command line. */
import type { CallRecord } from './model/call.ts';
import { outcomeLabel } from './outcome-label.ts';

const columns = ['at', 'kind', 'client', 'server', 'tool', 'outcome', 'code', 'durationMs', 'arguments'] as const;

/** The whole of a history that is in memory; a longer one is written piece by piece. */
export const historyCsv = (records: readonly CallRecord[]): string => csvHeader + records.map(csvRow).join('');

/** With its line end. */
export const csvHeader = `${columns.join(',')}\r\n`;

/** With its line end. Servers and agents fill the cells, so what a spreadsheet would run as a formula is made plain text. */
export function csvRow(record: CallRecord): string {
  const cells = columns.map((column) => {
    if (column === 'at') return cell(new Date(record.at).toISOString());
    if (column === 'outcome') return cell(outcomeLabel(record));
    return cell(String(record[column] ?? ''));
  });
  return `${cells.join(',')}\r\n`;
}

function cell(text: string): string {
  const plain = /^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
