/**
 * The filters, sort order and similar choices of a view. They last while the window is open, so that going back shows the
 * same list. Durable choices are also stored across restarts.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface ViewState<T> {
  readonly state: StoreApi<T>;
  set(change: Partial<T>): void;
  /** Takes over what another window has stored. */
  reload(): void;
}

/** `durable`: the choices to store, each with a function that validates the stored value. */
export function createViewState<T extends object>(
  name: string,
  initial: T,
  durable: { readonly [K in keyof T]?: (value: unknown) => boolean },
): ViewState<T> {
  const key = `toolkeep.${name}`;
  const names = Object.keys(durable) as (keyof T)[];
  const state = createStore<T>(() => ({ ...initial, ...stored() }));

  function stored(): Partial<T> {
    try {
      const values = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>;
      const valid = names.filter((one) => durable[one]?.(values[one]));
      return Object.fromEntries(valid.map((one) => [one, values[one]])) as Partial<T>;
    } catch {
      return {};
    }
  }
  return {
    state,
    reload: () => state.setState(stored()),
    set(change) {
      state.setState(change);
      if (!names.some((one) => one in change)) return;
      const values = state.getState();
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(names.map((one) => [one, values[one]]))));
    },
  };
}

export const oneOf =
  (values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
