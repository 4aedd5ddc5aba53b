/** Describes how well the connected clients can use a tool. */
import type { ClientFit } from './model/tool.ts';

export interface FitDescription {
  /** Empty when no client is connected. */
  summary: string;
  /** Clients that cannot fully use the tool, without duplicates. */
  limited: { client: string; verdict: string; notes: string[] }[];
}

export function describeFit(fits: ClientFit[]): FitDescription {
  const kinds = new Map(fits.map((fit) => [JSON.stringify([fit.client, fit.mode, fit.level, fit.notes]), fit]));
  const limited = [...kinds.values()].filter(({ level }) => level !== 'full');
  const count = fits.filter(({ level }) => level !== 'full').length;
  return {
    summary: summary(count, fits),
    limited: limited.map(({ client, mode, level, notes }) => ({
      client,
      verdict: `in ${mode} mode, ${level === 'none' ? 'cannot use it' : 'can use it, but not fully'}`,
      notes,
    })),
  };
}

function summary(limited: number, fits: ClientFit[]): string {
  const all = fits.length;
  if (all === 0) return '';
  if (all === 1) return `The connected client ${limited === 0 ? 'can' : 'cannot'} use it fully.`;
  if (limited === 0) return `All ${all} connected clients can use it fully.`;
  if (limited === all) return `None of the ${all} connected clients can use it fully.`;
  return `${limited} of ${all} connected clients cannot use it fully.`;
}
