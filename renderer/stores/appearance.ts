/** The window's appearance. Stored in local storage, so each browser has its own. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type Theme = 'system' | 'light' | 'dark';

export interface AppearanceState {
  theme: Theme;
  /** Show process IDs, start phases and similar details. */
  showTechnicalDetails: boolean;
  /** `/` and `?` work without a modifier key. */
  singleKeyShortcuts: boolean;
}

export interface Appearance {
  readonly state: StoreApi<AppearanceState>;
  set(change: Partial<AppearanceState>): void;
}

const key = 'gatehouse.appearance';
const standard: AppearanceState = { theme: 'system', showTechnicalDetails: false, singleKeyShortcuts: true };

export function createAppearance(): Appearance {
  const state = createStore<AppearanceState>(() => ({ ...standard, ...read() }));
  apply(state.getState().theme);
  // Another window may change these settings.
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

function read(): Partial<AppearanceState> {
  try {
    const { theme, showTechnicalDetails, singleKeyShortcuts } = JSON.parse(
      localStorage.getItem(key) ?? '{}',
    ) as Partial<AppearanceState>;
    const stored: Partial<AppearanceState> = {};
    if (theme === 'light' || theme === 'dark' || theme === 'system') stored.theme = theme;
    if (typeof showTechnicalDetails === 'boolean') stored.showTechnicalDetails = showTechnicalDetails;
    if (typeof singleKeyShortcuts === 'boolean') stored.singleKeyShortcuts = singleKeyShortcuts;
    return stored;
  } catch {
    return {};
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
