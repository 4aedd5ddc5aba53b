/** Formats the history as CSV (RFC 4180, times in ISO 8601), identically for the window and the command line. */
import type { CallRecord } from './model/call.ts';
import { outcomeLabel } from './outcome-label.ts';

const columns = ['at', 'kind', 'client', 'server', 'tool', 'outcome', 'code', 'durationMs', 'arguments'] as const;

/** A complete in-memory history as CSV. Longer histories are written row by row. */
export const historyCsv = (records: readonly CallRecord[]): string => csvHeader + records.map(csvRow).join('');

/** The header row, with its line ending. */
export const csvHeader = `${columns.join(',')}\r\n`;

/**
 * One row, with its line ending. Escapes values that a spreadsheet would run as formulas, because servers and agents supply
 * the values.
 */
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
