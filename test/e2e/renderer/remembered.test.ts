/** Choices that the window remembers when the user returns to a view, and after a restart. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, goTo, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

/** Opens the page again, as after a restart of the app. */
async function reopen(page: Page, url: string, view: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
  await goTo(page, view);
}

describe('The window remembers', () => {
  it('the filter of the history while it is open, and the sorting of the tools permanently', async () => {
    const { page, served } = await tests.open('history');
    await page.getByRole('searchbox').fill('create');
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed');
    await goTo(page, 'tools');
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.goBack();
    expect(await page.getByRole('searchbox').inputValue()).toBe('create');
    expect(await page.getByRole('combobox', { name: 'Outcome' }).inputValue()).toBe('failed');
    await reopen(page, served.url, 'history');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await goTo(page, 'tools');
    await page.getByRole('button', { name: 'Sort by: Failed calls' }).waitFor();
    const header = page.getByRole('columnheader', { name: 'Failed' });
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
  });

  it('the width of lists, which is changed by dragging and by keyboard', async () => {
    const { page, served } = await tests.open('servers/github');
    const list = page.getByRole('list', { name: 'Servers' });
    const width = async () => Math.round((await list.boundingBox())?.width ?? 0);
    const handle = page.getByRole('separator', { name: 'List width' });
    await handle.waitFor();
    const standard = await width();
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBe(standard + 32);
    expect(await findings(page)).toEqual([]);

    const box = await handle.boundingBox();
    if (!box) throw new Error('The handle is visible.');
    await page.mouse.move(box.x + 4, 400);
    await page.mouse.down();
    await page.mouse.move(box.x - 96, 400, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width).toBeLessThan(standard - 50);
    const dragged = await width();
    await reopen(page, served.url, 'tools/github/create_issue');
    await handle.waitFor();
    expect(Math.round((await page.getByRole('listbox', { name: 'Tools' }).boundingBox())?.width ?? 0)).toBe(dragged);

    await handle.dblclick();
    await goTo(page, 'servers/github');
    await expect.poll(width).toBe(standard);
  });
});

it('A wide window shows the details beside the list, in all its height', async () => {
  const { page } = await tests.open('servers/github', { viewport: { width: 1680, height: 900 } });
  const list = await page.getByRole('list', { name: 'Servers' }).boundingBox();
  const details = await page.getByRole('region', { name: 'Server github' }).boundingBox();
  if (!list || !details) throw new Error('The list and the details are visible.');
  expect(details.x).toBeGreaterThanOrEqual(list.x + list.width);
  expect(details.width).toBeGreaterThan(900);
  expect(details.height).toBeGreaterThan(600);
});

it('The number of calls of a server leads to its history', async () => {
  const { page } = await tests.open('servers/github');
  await page.getByRole('link', { name: /^310\s*calls/ }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Server' }).inputValue()).toBe('github');
});
