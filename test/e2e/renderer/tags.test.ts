/**
 * Tags of servers, and what the window remembers of its lists.
 *
 * @module-tag exhaustive
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, goTo, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const list = (page: Page) => page.getByRole('list', { name: 'Servers' });
const names = (page: Page) =>
  list(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => String(link.getAttribute('href')).split('/').at(-1)));

describe('The tags of a server', () => {
  it('are changed by keyboard, filter the list, and can be undone', async () => {
    const { page, core } = await tests.open('servers/github');
    await page.getByRole('button', { name: 'More for github' }).click();
    await page.getByRole('menuitem', { name: 'Edit tags…' }).click();
    await page.keyboard.type('Work');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('checkbox', { name: 'Work' }).isChecked()).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.type('code');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('list', { name: 'Tags' }).getByText('code').waitFor();
    expect(core.state.servers.find(({ id }) => id === 'github')?.tags).toEqual(['code', 'Work']);

    await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'Work' }).click();
    await expect.poll(() => names(page)).toEqual(['github']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(core.state.servers.length);
    expect(core.state.servers.some(({ tags }) => tags)).toBe(false);
  });

  it('are added to and removed from all matching servers', async () => {
    const { page, core } = await tests.open('servers');
    core.handlers['servers.tag']({ servers: ['github', 'slack'], add: ['team'], remove: [] });
    core.handlers['servers.tag']({ servers: ['github'], add: ['old'], remove: [] });
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('team');
    await page.getByRole('button', { name: 'All 2 servers' }).click();
    await page.getByRole('menuitem', { name: 'Tag 2 servers…' }).click();
    const old = page.getByRole('checkbox', { name: 'old on some servers' });
    expect(await old.evaluate((box) => (box as unknown as { indeterminate: boolean }).indeterminate)).toBe(true);
    await page.getByRole('checkbox', { name: 'team' }).uncheck();
    await old.check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed the tags of 2 servers.').waitFor();
    const tagged = core.state.servers.filter(({ tags }) => tags).map(({ id, tags }) => [id, tags]);
    expect(tagged).toEqual([
      ['github', ['old']],
      ['slack', ['old']],
    ]);
  });

  it('group the list, and are found by its search', async () => {
    const { page, core } = await tests.open('servers');
    core.handlers['servers.tag']({ servers: ['memory', 'github'], add: ['home'], remove: [] });
    core.handlers['servers.tag']({ servers: ['slack'], add: ['work'], remove: [] });
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Grouped by tag');
    await expect.poll(() => list(page).getByRole('heading').allInnerTexts()).toEqual(['home', 'work', 'No tag']);
    expect((await names(page)).slice(0, 3)).toEqual(['github', 'memory', 'slack']);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Filter servers' }).fill('home');
    await expect.poll(() => names(page)).toEqual(['github', 'memory']);
  });
});

it('The list of servers keeps its filter when the user returns, and its order after a reload', async () => {
  const { page, served } = await tests.open('servers');
  await page.getByRole('combobox', { name: 'Order' }).selectOption('By name');
  await page.getByRole('searchbox', { name: 'Filter servers' }).fill('git');
  await goTo(page, 'tools');
  await goTo(page, 'servers');
  await expect.poll(() => names(page)).toEqual(['github']);
  await page.goto('about:blank');
  await page.goto(served.url);
  await goTo(page, 'servers');
  await expect.poll(async () => (await names(page))[0]).toBe('filesystem');
  expect(await page.getByRole('searchbox', { name: 'Filter servers' }).inputValue()).toBe('');
});
