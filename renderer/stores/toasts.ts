/** Toasts: short messages about a finished action or a failure. They are announced politely and disappear after a few seconds. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Failure, toFailure } from '../../shared/failure.ts';
import { t } from '../text.tsx';

export interface ToastAction {
  label: string;
  run(): void;
}

export interface Toast {
  id: number;
  tone: 'success' | 'error';
  text: string;
  hint?: string;
  /** A view with details. */
  href?: string;
  /** A button, for example Undo. */
  action?: ToastAction;
}

export interface Toasts {
  readonly state: StoreApi<{ toasts: Toast[] }>;
  success(text: string, more?: { href?: string; action?: ToastAction }): void;
  /** A success that the user can undo. `undone` is the message afterward. */
  undoable(text: string, undo: () => Promise<unknown>, undone?: string): void;
  error(failure: Failure): void;
  dismiss(id: number): void;
  /** Runs a user action. On failure shows an error toast and resolves with undefined. */
  attempt<T>(action: () => Promise<T>, done?: string): Promise<T | undefined>;
}

const shownMs = { success: 4000, error: 12_000, withAction: 10_000 };

export function createToasts(): Toasts {
  const state = createStore<{ toasts: Toast[] }>(() => ({ toasts: [] }));
  let lastId = 0;

  function dismiss(id: number): void {
    state.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  }
  function show(toast: Omit<Toast, 'id'>): void {
    lastId += 1;
    const id = lastId;
    state.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), { ...toast, id }] }));
    setTimeout(() => dismiss(id), toast.action ? shownMs.withAction : shownMs[toast.tone]);
  }
  const error = (failure: Failure) => show({ tone: 'error', text: failure.message, hint: failure.hint });

  const success: Toasts['success'] = (text, more) => show({ tone: 'success', text, ...more });

  async function attempt<T>(action: () => Promise<T>, done?: string): Promise<T | undefined> {
    try {
      const value = await action();
      if (done) success(done);
      return value;
    } catch (thrown) {
      error(toFailure(thrown));
      return undefined;
    }
  }
  return {
    state,
    dismiss,
    error,
    success,
    attempt,
    undoable: (text, undo, undone) =>
      success(text, { action: { label: t('Undo'), run: () => void attempt(undo, undone) } }),
  };
}
