/** The window in one state, and the ways in which a user may look at it. */
import type { Page } from 'playwright-core';
import { armed, loaded, type OpenedWindow, type WindowTests, windowSize } from '../open-window.ts';
import type { SampleCore } from '../sample-core.ts';
import type { SampleQuestion } from '../sample-questions.ts';
import type { SampleOptions } from '../sample-state.ts';

export interface Scene {
  name: string;
  route: string;
  /** The data of the sample Core. */
  data?: SampleOptions;
  /** Runs before the page opens. */
  prepare?(core: SampleCore): void;
  question?: SampleQuestion;
  /** Runs when the view has loaded. */
  act?(page: Page, core: SampleCore, opened: OpenedWindow): Promise<unknown>;
  /** The size of a view that has another size than the window, such as the prompt window. */
  viewport?: { width: number; height: number };
  /** For a state without an end, such as a list that never loads. */
  isLoading?: true;
}

export interface Mode {
  viewport?: { width: number; height: number };
  media?: { colorScheme?: 'light' | 'dark'; forcedColors?: 'active' | 'none' };
  /** The axe rules that every run checks; all by default. `TOOLKEEP_EVERY_RULE=1` checks all rules in every mode. */
  rules?: readonly string[];
}

const plain = { colorScheme: 'light', forcedColors: 'none' } as const;

export const modes = {
  light: {},
  dark: { media: { colorScheme: 'dark' }, rules: ['color-contrast'] },
  'high contrast': { media: { forcedColors: 'active' }, rules: [] },
  'at 200 % zoom': { viewport: { width: 640, height: 400 }, rules: [] },
  'at 380 pixels': { viewport: { width: 380, height: 740 }, rules: [] },
} satisfies Record<string, Mode>;

/** `answered`: resolves with the answer to the scene's question. */
type OpenedScene = OpenedWindow & { answered?: Promise<unknown> };

export async function openScene(tests: WindowTests, scene: Scene): Promise<OpenedScene> {
  const { route, data, prepare, question, act, isLoading } = scene;
  const viewport = scene.viewport ?? windowSize;
  const opened = await tests.open(route, { ...data, viewport, colorScheme: 'light', ...(prepare && { prepare }) });
  const { page, core } = opened;
  await page.locator('h1').first().waitFor({ state: 'attached' });
  if (!isLoading) await loaded(page);
  const answered = question && core.ask(question);
  if (answered) await armed(page);
  await act?.(page, core, opened);
  if (!isLoading) await loaded(page);
  return { ...opened, ...(answered && { answered }) };
}

/** Changes how an open window is shown. */
export async function show(page: Page, scene: Scene, mode: Mode): Promise<void> {
  await page.emulateMedia({ ...plain, ...mode.media });
  await page.setViewportSize(mode.viewport ?? scene.viewport ?? windowSize);
}
