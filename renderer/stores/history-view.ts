/** The filter of the history. Empty fields match everything. */
import type { RecordKind } from '../../shared/model/call.ts';
import { createViewState, type ViewState } from './view-state.ts';

export type Period = '' | 'today' | 'yesterday' | 'week' | 'month';

export interface HistoryFilter {
  text: string;
  kind: RecordKind | '';
  server: string;
  /** The display name. */
  client: string;
  /** `stopped`: the user, a rule or a hold stopped the call. */
  outcome: '' | 'ok' | 'failed' | 'stopped';
  period: Period;
}

export const noHistoryFilter: HistoryFilter = { text: '', kind: '', server: '', client: '', outcome: '', period: '' };

export const createHistoryView = (): ViewState<HistoryFilter> =>
  createViewState<HistoryFilter>('history', noHistoryFilter, {});
