/** Groups records into history entries: a call and its questions are one entry. */
import type { CallRecord, RecordKind } from '../../../shared/model/call.ts';
import { t } from '../../text.tsx';

export const kindLabels: Record<RecordKind, string> = {
  call: t('Call'),
  approval: t('Approval'),
  question: t('Question'),
  'enable-request': t('Request to enable'),
  grant: t('Saved approval'),
};

/** The classes for the tones of outcomes. */
// untranslated: class names
export const toneColors = { success: 'good', neutral: 'muted', warning: 'muted', danger: 'bad' } as const;

export interface HistoryEntry {
  /** The call if it is already recorded, else the newest record. */
  main: CallRecord;
  /** All records of the entry, newest first. */
  records: CallRecord[];
}

/** Groups `records`, which are newest first; the entries are newest first too. */
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
