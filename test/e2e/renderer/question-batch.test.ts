/** The question about many calls: every call is reachable, and a dangerous one runs only after it was visible. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { armed, startWindowTests, type WindowTests } from './open-window.ts';
import { dialogOf, press, tabTo } from './question-page.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const runAll = (page: Page) => dialogOf(page).getByRole('button', { name: 'Run all 100' });
const rowsOf = (page: Page, tool: string) =>
  dialogOf(page).getByRole('checkbox', { name: new RegExp(`Call \\d+: ${tool}`) });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

it('A client that asks often can be enabled with one click, which a second click takes back', async () => {
  const { page, core } = await tests.open('clients');
  const view = async () => (await core.handlers['core.status']()).clients.find(({ name }) => name === 'Claude Desktop');
  const answer = core.ask('manyCalls');
  await armed(page);
  const offer = dialogOf(page).getByRole('button', { name: 'Let this client send such calls together' });
  await offer.click();
  await dialogOf(page).getByText('can now send many calls at once').waitFor();
  expect((await view())?.batch).toBe(true);
  await offer.click();
  await dialogOf(page).getByText('can now send many calls at once').waitFor({ state: 'detached' });
  expect((await view())?.batch).toBe(false);
  await dialogOf(page).getByRole('button', { name: 'Deny', exact: true }).click();
  expect(await answer).toMatchObject({ action: 'decline' });
});

it('A question about 100 calls groups them by tool, and shows common arguments once', async () => {
  const { page, core } = await tests.open();
  void core.ask('batch');
  await dialogOf(page).getByRole('heading', { name: '97 calls · github › add_label' }).waitFor();
  expect(await dialogOf(page).getByText('ada/engine', { exact: true }).count()).toBe(2);
  await expect.poll(() => rowsOf(page, 'add_label').count()).toBe(97);
  expect(await dialogOf(page).getByRole('columnheader').allTextContents()).toEqual([
    ...['', 'Call', 'issue', 'labels'],
    ...['', 'Call', 'branch'],
  ]);
  expect(tests.pageErrors).toEqual([]);
});

it('A call to a new destination is marked, also for those who hear the ticks', async () => {
  const { page, core } = await tests.open();
  void core.ask('batch');
  await rowsOf(page, 'delete_branch').last().waitFor();
  expect(await dialogOf(page).getByText('It resembles ada/engine-1').count()).toBe(1);
  expect(await dialogOf(page).getByRole('checkbox', { name: 'new destination' }).count()).toBe(1);
  expect(await dialogOf(page).getByRole('checkbox', { name: 'Call 99: delete_branch' }).count()).toBe(1);
});

it('Run all allows exactly the calls that the question shows', async () => {
  const { page, core } = await tests.open();
  const answer = core.ask('batch');
  await armed(page);
  await rowsOf(page, 'delete_branch').last().scrollIntoViewIfNeeded();
  await runAll(page).click();
  expect(await answer).toEqual({ action: 'accept', rows: numbers(100) });
});

it('Dangerous calls are not ticked and cannot run until they have been visible', async () => {
  const { page, core } = await tests.open();
  const answer = core.ask('batch');
  await armed(page);
  const dangerous = rowsOf(page, 'delete_branch');
  expect(await dangerous.first().isDisabled()).toBe(true);
  expect(await dangerous.first().isChecked()).toBe(false);
  expect(await runAll(page).isDisabled()).toBe(true);
  await dangerous.last().scrollIntoViewIfNeeded();
  await expect.poll(() => runAll(page).isEnabled()).toBe(true);
  await dangerous.last().check();
  await rowsOf(page, 'add_label').first().uncheck();
  await dialogOf(page).getByRole('button', { name: 'Run ticked (97)' }).click();
  expect(await answer).toEqual({ action: 'accept', rows: [...numbers(97).slice(1), 99] });
});

it.each([
  ['wide', { width: 900, height: 600 }],
  ['narrow', { width: 400, height: 500 }],
])('A call to a new destination runs only after its end has been visible in a %s window', async (_size, viewport) => {
  const { page, core } = await tests.open(undefined, { viewport });
  const answer = core.ask('newRecipients');
  await armed(page);
  const all = dialogOf(page).getByRole('button', { name: 'Run all 60' });
  const last = rowsOf(page, 'update_contact').last();
  await last.waitFor();
  expect([await last.isChecked(), await last.isDisabled(), await all.isDisabled()]).toEqual([false, true, true]);
  await dialogOf(page).getByText('Scroll to 1 call that you have not seen.').waitFor();
  await dialogOf(page).getByText('It is in no result').last().scrollIntoViewIfNeeded();
  await expect.poll(() => all.isEnabled()).toBe(true);
  await last.check();
  await dialogOf(page).getByRole('button', { name: 'Run ticked (60)' }).click();
  expect(await answer).toEqual({ action: 'accept', rows: numbers(60) });
});

it.each([
  ['wide', { width: 900, height: 600 }],
  ['narrow', { width: 400, height: 500 }],
])('No dangerous call counts as seen before it is visible in a %s window', async (_size, viewport) => {
  const { page, core } = await tests.open(undefined, { viewport });
  void core.ask('batch');
  await armed(page);
  await rowsOf(page, 'delete_branch').last().waitFor();
  await dialogOf(page).getByText('Scroll to 3 calls that you have not seen.').waitFor();
});

it('All calls can be ticked and run by keyboard alone', async () => {
  const { page, core } = await tests.open();
  const answer = core.ask('batch');
  await armed(page);
  // The list takes the focus, so that it can be scrolled.
  await press(page, 'Tab', 'End');
  await expect.poll(() => runAll(page).isEnabled()).toBe(true);
  const [first] = await rowsOf(page, 'add_label').all();
  await first?.focus();
  await press(page, 'Space');
  for (let step = 0; step < 100; step += 1) await page.keyboard.press('Tab');
  await tabTo(page, 'Run ticked (96)');
  await press(page, 'Enter');
  expect(await answer).toEqual({ action: 'accept', rows: numbers(97).slice(1) });
});

it.each([
  ['400 pixels', { width: 400, height: 700 }],
  ['200 % zoom', { width: 640, height: 400 }],
])('No call is out of reach at %s', async (_size, viewport) => {
  const { page, core } = await tests.open(undefined, { viewport });
  const answer = core.ask('batch');
  await armed(page);
  const last = rowsOf(page, 'delete_branch').last();
  await last.scrollIntoViewIfNeeded();
  for (const row of [rowsOf(page, 'add_label').first(), last]) {
    await row.scrollIntoViewIfNeeded();
    const box = await row.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height).toBe(
      true,
    );
  }
  const overflow = await page.evaluate<number>(
    'Math.max(...[...document.querySelectorAll("dialog table")].map((table) => table.getBoundingClientRect().right - innerWidth))',
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await dialogOf(page).getByRole('button', { name: 'Deny', exact: true }).click();
  expect(await answer).toEqual({ action: 'decline' });
});
