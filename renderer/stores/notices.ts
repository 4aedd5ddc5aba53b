/** Short messages about what was just done or went wrong; read out politely and gone after a while. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Failure, toFailure } from '../../shared/failure.ts';

export interface Notice {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  hint?: string | undefined;
  /** Where more is to be seen. */
  href?: string | undefined;
}

export interface Notices {
  readonly state: StoreApi<{ notices: Notice[] }>;
  good(text: string, href?: string): void;
  bad(failure: Failure): void;
  dismiss(id: number): void;
  /** Runs an action of the person; what goes wrong is shown. Resolves with undefined then. */
  attempt<T>(action: () => Promise<T>, done?: string): Promise<T | undefined>;
}

const shownMs = { good: 4000, bad: 12_000 };

export function createNotices(): Notices {
  const state = createStore<{ notices: Notice[] }>(() => ({ notices: [] }));
  let lastId = 0;

  function dismiss(id: number): void {
    state.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
  }
  function show(notice: Omit<Notice, 'id'>): void {
    lastId += 1;
    const id = lastId;
    state.setState(({ notices }) => ({ notices: [...notices.slice(-2), { ...notice, id }] }));
    setTimeout(() => dismiss(id), shownMs[notice.tone]);
  }
  const bad = (failure: Failure) => show({ tone: 'bad', text: failure.message, hint: failure.hint });

  return {
    state,
    dismiss,
    bad,
    good: (text, href) => show({ tone: 'good', text, href }),
    async attempt(action, done) {
      try {
        const value = await action();
        if (done) show({ tone: 'good', text: done });
        return value;
      } catch (error) {
        bad(toFailure(error));
        return undefined;
      }
    },
  };
}
