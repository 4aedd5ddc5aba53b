/** Writes what is on screen to a file of the person's. */
import type { CallRecord } from '../../shared/model.ts';

const columns = ['at', 'kind', 'client', 'server', 'tool', 'outcome', 'code', 'durationMs', 'arguments'] as const;

/** RFC 4180, times in ISO 8601. Cells that a spreadsheet would run as a formula are made plain text. */
export function toCsv(records: readonly CallRecord[]): string {
  const cell = (value: unknown) =>
    `"${String(value ?? '')
      .replace(/^(?=[=+\-@\t\r])/, "'")
      .replaceAll('"', '""')}"`;
  const rows = records.map((record) =>
    columns.map((column) => cell(column === 'at' ? new Date(record.at).toISOString() : record[column])).join(','),
  );
  return [columns.join(','), ...rows, ''].join('\r\n');
}

export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
