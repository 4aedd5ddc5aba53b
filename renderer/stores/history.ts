/** Recorded calls, questions and decisions, newest first, updated live. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { CallRecord } from '../../shared/model/call.ts';
import type { Link } from './link.ts';

export interface HistoryState {
  records: CallRecord[] | undefined;
  failure: Failure | undefined;
}

export interface HistoryStore {
  readonly state: StoreApi<HistoryState>;
  load(): Promise<void>;
  /** Every record, oldest first, without a limit. */
  all(): Promise<CallRecord[]>;
}

const limit = 1000;

export function createHistory(link: Link): HistoryStore {
  const state = createStore<HistoryState>(() => ({ records: undefined, failure: undefined }));
  link.on('calls.recorded', (record) => {
    const { records } = state.getState();
    if (!records || records.some(({ id }) => id === record.id)) return;
    state.setState({ records: [record, ...records].slice(0, limit) });
  });
  return {
    state,
    async all() {
      const records: CallRecord[] = [];
      for (let after: string | undefined; ; ) {
        const page = await link.call('history.page', { after });
        records.push(...page.records);
        if (page.next === undefined) return records;
        after = page.next;
      }
    },
    async load() {
      try {
        const records = await link.call('history.list', { limit });
        state.setState({ records: records.toSorted((a, b) => b.at - a.at), failure: undefined });
      } catch (error) {
        state.setState({ failure: toFailure(error) });
      }
    },
  };
}
