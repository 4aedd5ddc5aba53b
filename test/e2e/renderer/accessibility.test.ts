/** Every view, dialog, question and state, in every mode: no axe violations, nothing cut off, no errors in the page. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { armed, findings, startWindowTests, type WindowTests } from './open-window.ts';
import { questionKinds, type SampleQuestion } from './sample-questions.ts';
import { modes, openScene, show } from './scenes/scene.ts';
import { scenes } from './scenes/scenes.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

/** Parts of the window that are wider than the space they have. */
const tooWide = (page: Page) =>
  page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('main, dialog[open]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth, clientWidth }) => tagName + ': ' + scrollWidth + ' of ' + clientWidth + ' pixels')`);

/** Chromium reports each failed attempt to reconnect. */
const isReconnect = (error: string) => error.includes('ERR_CONNECTION_REFUSED');

it.each(scenes.map((scene) => [scene.name, scene] as const))(
  '“%s” is accessible in every mode',
  async (_name, scene) => {
    const { page } = await openScene(tests, scene);
    for (const [name, mode] of Object.entries(modes)) {
      await show(page, scene, mode);
      expect(await findings(page), name).toEqual([]);
      expect(await tooWide(page), name).toEqual([]);
    }
    expect(tests.pageErrors.filter((error) => !isReconnect(error))).toEqual([]);
  },
  90_000,
);

/** The button that declines; “Decline” for all others. */
const declineLabels: Partial<Record<SampleQuestion, string>> = {
  approval: 'Deny',
  approvalForServer: 'Deny',
  hostile: 'Deny',
  longPath: 'Deny',
  enableRequest: 'Keep held',
  confirmation: 'Decline to answer',
};

it.each(questionKinds)('The question “%s” can be declined', async (kind) => {
  const { page, core } = await tests.open();
  const answered = core.ask(kind);
  await armed(page);
  await page.getByRole('button', { name: declineLabels[kind] ?? 'Decline', exact: true }).click();
  expect(await answered).toMatchObject({ action: 'decline' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

describe('An empty or failing page', () => {
  it.each([
    ['the first run', '', { empty: true }, 'Welcome to Gatehouse'],
    ['no rules', 'rules', { empty: true }, 'No rules yet'],
    ['no history', 'history', { empty: true }, 'No activity yet'],
    ['a failing Core', 'tools', { broken: true }, 'The catalog could not be read'],
  ])('shows the next step: %s', async (_name, route, options, text) => {
    const { page } = await tests.open(route, options);
    await page.getByText(text).first().waitFor();
  });
});
