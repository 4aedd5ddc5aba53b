/**
 * Tests of every scene: no axe violations, no wrong colors in dark mode, no clipped content in any mode, no errors in
 * the page. Every question can be declined.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from '../open-window.ts';
import type { SampleQuestion } from '../sample-questions.ts';
import { type Mode, modes, openScene, type Scene, show } from './scene.ts';

/** Parts of the window that are wider than their available space. */
const tooWide = (page: Page) =>
  page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('main, dialog[open]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ tagName, scrollWidth, clientWidth }) => tagName + ': ' + scrollWidth + ' of ' + clientWidth + ' pixels')`);

/**
 * Controls that cannot be seen after the browser has scrolled to them, as it does for the focus. A menu or a message may
 * cover them for a while. In a question, the buttons that answer it must be visible without scrolling.
 */
const hidden = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const box = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
    return [...box.querySelectorAll('button, a[href^="#/"], input, select, textarea')]
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const answers = control.matches('article:has([role="timer"]) button') && !control.closest('section[tabindex]');
        if (!answers) control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, top, width, height } = control.getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return !found || !(control.contains(found) || found.contains(control) || found.closest('[role="menu"], [role="status"][aria-live]'));
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  })()`);

/** Chromium reports each failed attempt to reconnect. */
const isReconnect = (error: string) => error.includes('ERR_CONNECTION_REFUSED');

/** True checks all axe rules in every mode, which takes four times as long. */
const checksEveryRule = process.env.TOOLKEEP_EVERY_RULE === '1';

/** The button that declines; “Decline” for all others. */
const declineLabels: Partial<Record<SampleQuestion, string>> = {
  approval: 'Deny',
  titled: 'Deny',
  newDestination: 'Deny',
  newRecipients: 'Deny',
  manyCalls: 'Deny',
  batch: 'Deny',
  approvalForServer: 'Deny',
  hostile: 'Deny',
  longPath: 'Deny',
  enableRequest: 'Keep held',
  connection: 'Refuse',
  sending: 'Refuse',
  folder: 'Refuse',
  confirmation: 'Decline to answer',
};

/** `withColors`: the scenes with components whose colors no other scene checks. Returns the window of the file's tests. */
export function checkScenes(scenes: readonly Scene[], withColors = scenes): () => WindowTests {
  let tests: WindowTests;
  beforeAll(async () => {
    tests = await startWindowTests();
  });
  afterEach(() => tests.clear());
  afterAll(() => tests.close());

  it.each(scenes.map((scene) => [scene.name, scene] as const))(
    '“%s” is accessible in every mode, and a question can be declined',
    async (_name, scene) => {
      const { page, answered } = await openScene(tests, scene);
      for (const [name, mode] of Object.entries<Mode>(modes)) {
        await show(page, scene, mode);
        const rules = checksEveryRule
          ? undefined
          : mode === modes.dark && !withColors.includes(scene)
            ? []
            : mode.rules;
        if (rules?.length !== 0) expect(await findings(page, rules), name).toEqual([]);
        expect(await tooWide(page), name).toEqual([]);
        if (mode !== modes.dark) expect(await hidden(page), name).toEqual([]);
      }
      if (scene.question && scene.route === 'servers' && !scene.act) {
        const label = declineLabels[scene.question] ?? 'Decline';
        await page.getByRole('button', { name: label, exact: true }).click();
        expect(await answered).toMatchObject({ action: 'decline' });
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      expect(tests.pageErrors.filter((error) => !isReconnect(error))).toEqual([]);
    },
    90_000,
  );
  return () => tests;
}
