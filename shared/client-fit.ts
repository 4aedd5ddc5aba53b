/** How the connected clients get along with a tool, in words that are the same in every face (row B13). */
import type { ClientFit } from './model.ts';

export interface FitWords {
  /** Empty when no client is connected. */
  summary: string;
  /** Those that cannot use it fully; connections of the same kind are told once. */
  troubled: { client: string; verdict: string; notes: string[] }[];
}

export function fitWords(fits: ClientFit[]): FitWords {
  const kinds = new Map(fits.map((fit) => [JSON.stringify([fit.client, fit.mode, fit.level, fit.notes]), fit]));
  const troubled = [...kinds.values()].filter(({ level }) => level !== 'full');
  const count = fits.filter(({ level }) => level !== 'full').length;
  return {
    summary: summary(count, fits),
    troubled: troubled.map(({ client, mode, level, notes }) => ({
      client,
      verdict: `in ${mode} mode, ${level === 'none' ? 'cannot use it' : 'can use it, but not fully'}`,
      notes,
    })),
  };
}

function summary(troubled: number, fits: ClientFit[]): string {
  const all = fits.length;
  if (all === 0) return '';
  if (all === 1) return `The connected client ${troubled === 0 ? 'can' : 'cannot'} use it fully.`;
  if (troubled === 0) return `All ${all} connected clients can use it fully.`;
  if (troubled === all) return `None of the ${all} connected clients can use it fully.`;
  return `${troubled} of ${all} connected clients cannot use it fully.`;
}
