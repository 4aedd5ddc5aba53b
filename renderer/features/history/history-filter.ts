/** Applies the filter of the history. */
import type { CallRecord } from '../../../shared/model/call.ts';
import { outcomeLabel, outcomeTone } from '../../../shared/outcome-label.ts';
import { hasWords, wordsOf } from '../../components/words.ts';
import type { HistoryFilter, Period } from '../../stores/history-view.ts';
import { t } from '../../text.tsx';
import type { HistoryEntry } from './entries.ts';

export const isFiltered = (filter: HistoryFilter): boolean => Object.values(filter).some((value) => value !== '');

/** An entry matches if one of its records does; the outcome and time are those of its main record. */
export function entryMatcher(
  filter: HistoryFilter,
  nameOf: (client: string) => string,
  now = new Date(),
): (entry: HistoryEntry) => boolean {
  const { from, to } = rangeOf(filter.period, now);
  const words = wordsOf(filter.text);
  const matches = (record: CallRecord) => {
    if (filter.kind && record.kind !== filter.kind) return false;
    if (filter.server && record.server !== filter.server) return false;
    if (filter.client && nameOf(record.client) !== filter.client) return false;
    const { tool, server, client, code = '', arguments: args } = record;
    const haystack = [tool, server, client, nameOf(client), outcomeLabel(record, t), code, args]
      .join(' ')
      .toLowerCase();
    return hasWords(haystack, words);
  };
  return ({ main, records }) =>
    main.at >= from &&
    main.at < to &&
    (filter.outcome === '' || outcomes[outcomeTone(main)] === filter.outcome) &&
    records.some(matches);
}

const outcomes = { success: 'ok', danger: 'failed', warning: 'stopped', neutral: 'stopped' } as const;

/** Epoch milliseconds; `to` is exclusive. */
export function rangeOf(period: Period, now: Date): { from: number; to: number } {
  const midnight = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
  const forever = Number.POSITIVE_INFINITY;
  switch (period) {
    case '':
      return { from: 0, to: forever };
    case 'today':
      return { from: midnight(0), to: forever };
    case 'yesterday':
      return { from: midnight(1), to: midnight(0) };
    case 'week':
      return { from: midnight(6), to: forever };
    case 'month':
      return { from: midnight(29), to: forever };
  }
}
