/**
 * Every kind of question can be answered by keyboard alone.
 *
 * @module-tag exhaustive
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { armed, startWindowTests, type WindowTests } from './open-window.ts';
import { dialogOf, press, tabTo } from './question-page.ts';
import type { SampleQuestion } from './sample-questions.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

/** The keys for each kind of question, and the expected answer. */
const byKeyboard: [SampleQuestion, (page: Page) => Promise<void>, object][] = [
  [
    'approval',
    async (page) => {
      await tabTo(page, '15 minutes');
      await press(page, 'Enter');
      await armed(page);
      await tabTo(page, 'Allow for 15 minutes');
      await press(page, 'Enter');
    },
    { action: 'accept', scope: 'minutes', conditions: [0] },
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

it.each(byKeyboard)('The question “%s” can be answered by keyboard', async (kind, act, expected) => {
  const { page, core } = await tests.open();
  const answer = core.ask(kind);
  await armed(page);
  await act(page);
  expect(await answer).toEqual(expected);
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(tests.pageErrors).toEqual([]);
});
