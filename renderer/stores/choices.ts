/** What a person chose about the look of the window; kept in this browser only. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type Theme = 'system' | 'light' | 'dark';

export interface ChoicesState {
  theme: Theme;
  /** Process ids, phases and the like in the server details and the status table. */
  technical: boolean;
}

export interface Choices {
  readonly state: StoreApi<ChoicesState>;
  set(change: Partial<ChoicesState>): void;
}

const key = 'gatehouse.choices';

export function createChoices(): Choices {
  const state = createStore<ChoicesState>(() => ({ theme: 'system', technical: true, ...read() }));
  apply(state.getState().theme);
  // Another window of the app is where they are chosen.
  addEventListener('storage', (event) => {
    if (event.key !== key) return;
    state.setState(read());
    apply(state.getState().theme);
  });
  return {
    state,
    set(change) {
      state.setState(change);
      apply(state.getState().theme);
      localStorage.setItem(key, JSON.stringify(state.getState()));
    },
  };
}

function read(): Partial<ChoicesState> {
  try {
    const { theme, technical } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ChoicesState>;
    return {
      ...(theme === 'light' || theme === 'dark' || theme === 'system' ? { theme } : {}),
      ...(typeof technical === 'boolean' ? { technical } : {}),
    };
  } catch {
    return {};
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
