/** Writes what is on screen to a file of the person's. */
import { csvHeader, csvRow } from '../../shared/history-csv.ts';
import type { CallRecord } from '../../shared/model.ts';

export const toCsv = (records: readonly CallRecord[]): string => csvHeader + records.map(csvRow).join('');

export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
