/** Questions as a person meets them: answered by keyboard alone, guarded against a slip, the same in every window. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { armed, startWindowTests, type WindowTests } from './open-window.ts';
import type { SampleQuestion } from './sample-questions.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'A question for you' });
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');

/** Presses Tab until the focus is on something with this text. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    if ((await focused(page)) === text) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${text}.`);
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** What a person presses for each kind, and what the server gets. */
const byKeyboard: [SampleQuestion, (page: Page) => Promise<void>, object][] = [
  [
    'approval',
    async (page) => {
      await tabTo(page, '15 minutes');
      await press(page, 'Enter');
    },
    { action: 'accept', scope: 'minutes', conditions: [] },
  ],
  [
    'confirmation',
    async (page) => {
      await tabTo(page, 'No');
      await press(page, 'Space');
    },
    { action: 'accept', value: false },
  ],
  [
    'text',
    async (page) => {
      await page.keyboard.type('night-owl');
      await press(page, 'Enter');
    },
    { action: 'accept', value: 'night-owl' },
  ],
  ['select', (page) => press(page, 'Space', 'ArrowDown', 'Enter'), { action: 'accept', value: 'staging' }],
  [
    'multiselect',
    (page) => press(page, 'Space', 'Tab', 'Tab', 'Space', 'Enter'),
    { action: 'accept', value: ['sales', 'staff'] },
  ],
  [
    'form',
    async (page) => {
      await page.keyboard.type('Ada');
      await press(page, 'Tab');
      await page.keyboard.type('ada@example.com');
      await press(page, 'Tab', 'ArrowUp', 'Tab');
      await page.keyboard.type('12242026');
      await press(page, 'Tab', 'Tab', 'Space', 'Tab', 'Space', 'Tab');
      await page.keyboard.type('A quiet room');
      await tabTo(page, 'Send answer');
      await press(page, 'Enter');
    },
    {
      action: 'accept',
      value: {
        guest: 'Ada',
        email: 'ada@example.com',
        nights: 3,
        arrival: '2026-12-24',
        room: 's',
        breakfast: true,
        wishes: 'A quiet room',
      },
    },
  ],
  [
    'file',
    async (page) => {
      await page.keyboard.type('/home/ada/rows.csv');
      await press(page, 'Enter');
    },
    { action: 'accept', value: '/home/ada/rows.csv' },
  ],
  [
    'secret',
    async (page) => {
      await page.keyboard.type('only-for-the-server');
      await press(page, 'Enter');
    },
    { action: 'accept', value: 'only-for-the-server' },
  ],
  [
    'url',
    async (page) => {
      await tabTo(page, 'Decline');
      await press(page, 'Enter');
    },
    { action: 'decline' },
  ],
];

it.each(byKeyboard)('answers %s by keyboard alone', async (kind, act, expected) => {
  const { page, core } = await tests.open();
  const answer = core.ask(kind);
  await armed(page);
  await act(page);
  expect(await answer).toEqual(expected);
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(tests.complaints).toEqual([]);
});

describe('a dangerous call', () => {
  it('shows every argument in full, what is invisible made visible, and never as markup', async () => {
    const { page, core } = await tests.open();
    const answer = core.ask('hostile');
    const dialog = dialogOf(page);
    await dialog.waitFor();
    const shown = async () => (await dialog.innerText()).replaceAll('\n', ' ');
    for (const text of ['<b>Gatehouse</b> is safe', 'sendU+202Etxt.exe', 'ada@example.comU+200B', 'subjectU+0000'])
      expect(await shown()).toContain(text);
    expect(await shown()).not.toContain('END-OF-BODY');
    await dialog.getByRole('button', { name: /^Show all/ }).click();
    expect(await shown()).toContain('END-OF-BODY');
    expect(await shown()).toContain('"x-token": "abc"');
    expect(await dialog.locator('script, img, b').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Deny and switch off' }).click();
    expect(await answer).toEqual({ action: 'decline', switchOff: true });
    expect(tests.complaints).toEqual([]);
  });

  it('is not allowed by a key that was meant for something else', async () => {
    const { page, core } = await tests.open('servers');
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor();
    await page.clock.install();
    const answer = core.ask('approval');
    await dialogOf(page).waitFor();
    expect(await focused(page)).toBe('May this tool run?');
    await press(page, 'Enter', 'Space', 'Enter');
    expect(await page.getByRole('button', { name: 'Once' }).isDisabled()).toBe(true);
    expect(core.answers).toEqual([]);
    await page.clock.runFor(1000);
    await page.getByRole('button', { name: 'Once' }).click();
    expect(await answer).toEqual({ action: 'accept', scope: 'once' });
  });

  it('waits behind a button after Escape, which never answers', async () => {
    const { page, core } = await tests.open();
    const answer = core.ask('approval');
    await dialogOf(page).waitFor();
    await press(page, 'Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await press(page, 'Escape');
    expect(core.answers).toEqual([]);
    await page.getByRole('button', { name: '1 question waits for you' }).click();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await answer).toEqual({ action: 'decline' });
  });
});

describe('the queue', () => {
  it('is the same in a second window, and the first answer wins', async () => {
    const { page, core, another } = await tests.open();
    const second = await another('tools');
    const answers = [core.ask('confirmation'), core.ask('text')];
    for (const window of [page, second]) await dialogOf(window).getByText('1 of 2').waitFor();
    await Promise.all([armed(page), armed(second)]);
    await tabTo(page, 'Yes');
    await tabTo(second, 'No');
    await Promise.all([press(page, 'Enter'), press(second, 'Enter')]);
    for (const window of [page, second]) await dialogOf(window).getByText('What should the new project').waitFor();
    expect(core.answers).toHaveLength(1);
    expect(await answers[0]).toMatchObject({ action: 'accept' });

    await dialogOf(second).getByRole('button', { name: 'Decline' }).click();
    expect(await answers[1]).toEqual({ action: 'decline' });
    for (const window of [page, second]) await dialogOf(window).waitFor({ state: 'detached' });
  });

  it('survives a reload of the page', async () => {
    const { page, core } = await tests.open();
    const answer = core.ask('select');
    await dialogOf(page).waitFor();
    await page.reload();
    await dialogOf(page).getByText('Which environment is it for?').waitFor();
    await armed(page);
    await press(page, 'Space', 'Enter');
    expect(await answer).toEqual({ action: 'accept', value: 'dev' });
  });

  it('can be walked through, and each question keeps its place', async () => {
    const { page, core } = await tests.open();
    void core.ask('confirmation');
    void core.ask('text');
    await dialogOf(page).getByText('1 of 2').waitFor();
    await page.getByRole('button', { name: 'Next question' }).click();
    await dialogOf(page).getByText('What should the new project be called?').waitFor();
    await page.getByRole('button', { name: 'Next question' }).click();
    await dialogOf(page).getByText('Push anyway?', { exact: false }).first().waitFor();
  });
});

describe('an answer', () => {
  it('is checked while it is typed, and what Core refuses is shown at its field', async () => {
    const { page, core } = await tests.open();
    const answer = core.ask('text');
    await armed(page);
    const field = page.getByRole('textbox', { name: 'Project name' });
    await field.fill('No');
    await page.getByText('At least 3 characters.').waitFor();
    await press(page, 'Enter');
    expect(core.answers).toEqual([]);
    await field.fill('refuse-me');
    await press(page, 'Enter');
    await page.getByText('Not this one.').waitFor();
    await field.fill('taken-it-is');
    await press(page, 'Enter');
    expect(await answer).toEqual({ action: 'accept', value: 'taken-it-is' });
  });

  it('that is secret stands nowhere in the page once it is given', async () => {
    const { page, core } = await tests.open();
    const answer = core.ask('secret');
    await armed(page);
    await page.keyboard.type('s3cr3t-canary');
    expect(await page.locator('input[type=password]').count()).toBe(1);
    await press(page, 'Enter');
    await answer;
    await dialogOf(page).waitFor({ state: 'detached' });
    const left = await page.evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })',
    );
    expect(left).not.toContain('s3cr3t-canary');
  });

  it('to an address shows its host, warns of what looks wrong, and opens it without a way back', async () => {
    const { page, core } = await tests.open();
    const answer = core.ask('url');
    await armed(page);
    await page.getByText('letters from another alphabet').waitFor();
    expect(await page.locator('.url strong').innerText()).toBe('login.xn--exmple-cua.com.accounts.example.net:8443');
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Open in browser' }).click(),
    ]);
    expect(await opened.evaluate('window.opener')).toBeNull();
    expect(await answer).toEqual({ action: 'accept' });
  });
});
