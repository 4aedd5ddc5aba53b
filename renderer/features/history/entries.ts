/** Groups records into history entries: a call and its questions are one entry. */
import type { CallRecord } from '../../../shared/model/call.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';

export interface HistoryEntry {
  /** The call if it is recorded already, else the newest record. */
  main: CallRecord;
  /** All records of the entry, newest first. */
  records: CallRecord[];
}

/** `records` are newest first, and so are the entries. */
export function groupRecords(records: readonly CallRecord[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const byCall = new Map<string, HistoryEntry>();
  for (const record of records) {
    const known = record.callId === undefined ? undefined : byCall.get(record.callId);
    if (known) {
      known.records.push(record);
      if (record.kind === 'call') known.main = record;
      continue;
    }
    const entry = { main: record, records: [record] };
    entries.push(entry);
    if (record.callId !== undefined) byCall.set(record.callId, entry);
  }
  return entries;
}

/** Empty filters match everything; every word of `text` must occur somewhere in the record. */
export function matchesFilter(record: CallRecord, filter: { text: string; kind: string; server: string }): boolean {
  if (filter.kind && record.kind !== filter.kind) return false;
  if (filter.server && record.server !== filter.server) return false;
  const { tool, server, client, code = '', arguments: args } = record;
  const haystack = [tool, server, client, outcomeLabel(record), code, args].join(' ').toLowerCase();
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => haystack.includes(word));
}
