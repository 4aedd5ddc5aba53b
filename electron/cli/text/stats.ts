/** Text output of `toolkeep stats`. */
import type { SavingsRow } from '../../../shared/model/search.ts';
import { count, type Style, safe } from '../terminal.ts';

const number = new Intl.NumberFormat('en');

export function statsText(rows: SavingsRow[], style: Style): string {
  if (rows.length === 0) return 'No client has listed tools yet.';
  const lines = rows.map((row) => {
    const { day, client, sessions, lookups } = row;
    const parts = [count(sessions, 'session'), count(lookups, 'lookup'), balance(row)];
    return `${style.dim(day)} ${safe(client)}: ${parts.join(', ')}`;
  });
  const total = {
    without: sum(rows, 'without'),
    list: sum(rows, 'list'),
    answers: sum(rows, 'answers'),
    saved: sum(rows, 'saved'),
  };
  return [
    ...lines,
    '',
    style.bold(`Total: ${balance(total)}`),
    'Token counts are estimates, accurate to about 10%.',
  ].join('\n');
}

function balance({
  without,
  list,
  answers,
  saved,
}: Pick<SavingsRow, 'without' | 'list' | 'answers' | 'saved'>): string {
  const share = without > 0 ? ` (${Math.round((100 * saved) / without)}%)` : '';
  const carried = `${number.format(list + answers)} tokens instead of ${number.format(without)}`;
  return `${carried}, ${number.format(saved)} saved${share}`;
}

function sum(rows: SavingsRow[], key: 'without' | 'list' | 'answers' | 'saved'): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
