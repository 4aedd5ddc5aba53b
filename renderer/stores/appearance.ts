/** The window's appearance. Stored in local storage, so each browser has its own. */
import { createViewState, oneOf, type ViewState } from './view-state.ts';

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

const standard: AppearanceState = {
  theme: 'system',
  density: 'comfortable',
  textSize: 'standard',
  reducesMotion: false,
  showTechnicalDetails: false,
  singleKeyShortcuts: true,
};
const isBoolean = oneOf([true, false]);

export function createAppearance(): ViewState<AppearanceState> {
  const appearance = createViewState<AppearanceState>('appearance', standard, {
    theme: oneOf(themes),
    density: oneOf(densities),
    textSize: oneOf(textSizes),
    reducesMotion: isBoolean,
    showTechnicalDetails: isBoolean,
    singleKeyShortcuts: isBoolean,
  });
  apply(appearance.state.getState());
  appearance.state.subscribe(apply);
  // Another window may change these settings.
  addEventListener('storage', ({ key }) => key === 'toolkeep.appearance' && appearance.reload());
  return appearance;
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
