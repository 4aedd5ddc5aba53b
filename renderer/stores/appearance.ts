/** The window's appearance. Stored in local storage, so each browser has its own. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];
/** From small to large. */
export const textSizes = ['small', 'standard', 'large', 'larger'] as const;
export type TextSize = (typeof textSizes)[number];

export interface AppearanceState {
  theme: Theme;
  density: Density;
  textSize: TextSize;
  /** True disables animations, even if the system does not request it. */
  reducesMotion: boolean;
  /** True shows process IDs, start phases and similar details. */
  showTechnicalDetails: boolean;
  /** True lets the shortcuts `/` and `?` work without a modifier key. */
  singleKeyShortcuts: boolean;
}

export interface Appearance {
  readonly state: StoreApi<AppearanceState>;
  set(change: Partial<AppearanceState>): void;
}

const key = 'toolkeep.appearance';
const standard: AppearanceState = {
  theme: 'system',
  density: 'comfortable',
  textSize: 'standard',
  reducesMotion: false,
  showTechnicalDetails: false,
  singleKeyShortcuts: true,
};
/** The allowed values of the settings that are not boolean. */
const choices = { theme: themes, density: densities, textSize: textSizes };

export function createAppearance(): Appearance {
  const state = createStore<AppearanceState>(() => ({ ...standard, ...read() }));
  apply(state.getState());
  // Another window may change these settings.
  addEventListener('storage', (event) => {
    if (event.key !== key) return;
    state.setState(read());
    apply(state.getState());
  });
  return {
    state,
    set(change) {
      state.setState(change);
      apply(state.getState());
      localStorage.setItem(key, JSON.stringify(state.getState()));
    },
  };
}

/** Leaves out values that are not valid. */
function read(): Partial<AppearanceState> {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>;
    const isValid = ([name, value]: [string, unknown]) => {
      if (!Object.hasOwn(standard, name)) return false;
      if (Object.hasOwn(choices, name)) return choices[name as keyof typeof choices].some((one) => one === value);
      return typeof value === 'boolean';
    };
    return Object.fromEntries(Object.entries(stored).filter(isValid));
  } catch {
    return {};
  }
}

function apply({ theme, density, textSize, reducesMotion }: AppearanceState): void {
  const { dataset } = document.documentElement;
  const set = (name: string, value: string, isStandard: boolean) => {
    if (isStandard) delete dataset[name];
    else dataset[name] = value;
  };
  set('theme', theme, theme === 'system');
  set('density', density, density === 'comfortable');
  set('textSize', textSize, textSize === 'standard');
  set('motion', 'reduced', !reducesMotion);
}
