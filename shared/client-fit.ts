/** Describes how well the connected clients can use a tool. */
import { english, type Translate } from './message.ts';
import type { ClientFit } from './model/tool.ts';

export interface FitDescription {
  /** Empty when no client is connected. */
  summary: string;
  /** Clients that cannot fully use the tool, without duplicates. */
  limited: { client: string; verdict: string; notes: string[] }[];
}

export function describeFit(fits: ClientFit[], t: Translate = english): FitDescription {
  const kinds = new Map(fits.map((fit) => [JSON.stringify([fit.client, fit.mode, fit.level, fit.notes]), fit]));
  const limited = [...kinds.values()].filter(({ level }) => level !== 'full');
  const count = fits.filter(({ level }) => level !== 'full').length;
  return {
    summary: summary(count, fits, t),
    limited: limited.map(({ client, mode, level, notes }) => ({
      client,
      verdict:
        level === 'none'
          ? t('in {mode} mode, cannot use it', { mode })
          : t('in {mode} mode, can use only part of it', { mode }),
      notes,
    })),
  };
}

function summary(limited: number, fits: ClientFit[], t: Translate): string {
  const all = fits.length;
  if (all === 0) return '';
  if (all === 1)
    return limited === 0 ? t('The connected client can use it fully.') : t('The connected client cannot use it fully.');
  if (limited === 0) return t('All connected clients ({all}) can use it fully.', { all });
  if (limited === all) return t('None of the connected clients ({all}) can use it fully.', { all });
  return t('{limited} of {all} connected clients cannot use it fully.', { limited, all });
}
