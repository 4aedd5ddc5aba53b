/** The list of tools on the built product: its columns and groups, and the counts of what the tools can do. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { newProduct, type Product } from '../product.ts';
import { findings, goTo, startWindowTests, type WindowTests } from './open-window.ts';

let product: Product;
let tests: WindowTests;
let page: Page;

beforeAll(async () => {
  product = newProduct();
  const mcpServers = { issues: commands.github(), files: commands.filesystem(product.home) };
  product.file('.toolkeep/config.json', { mcpServers });
  [tests] = await Promise.all([startWindowTests(), product.serve()]);
  await product.cli('tools', '--server', 'files');
  await product.cli('tools', '--server', 'issues');
  page = await tests.openUrl(await product.pageUrl());
  await goTo(page, 'tools');
}, 60_000);
afterAll(async () => {
  await tests.close();
  await product.dispose();
});

const option = (name: string) => page.getByRole('option', { name: new RegExp(`^${name} `) });
const list = () => page.getByRole('listbox', { name: 'Tools' });
const names = async () => (await page.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]);
/** Clicks the header of a column. */
const sortBy = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** The figures in view, each with its column. */
const figures = async (name: string) =>
  (await option(name).locator('[data-column]:visible').allInnerTexts()).map((text) => text.replace('\n', ' '));
const header = (name: string) => page.getByRole('columnheader', { name });

describe.sequential('The list of tools', () => {
  it('shows the calls of each tool live, and puts the most used first', async () => {
    await option('read_text_file').waitFor();
    const client = new Client({ name: 'Cursor', version: '1' });
    await client.connect(new StdioClientTransport(product.bridge('--client', 'cursor')));
    const run = (tool: string, args: object) =>
      client.callTool({ name: 'execute_tool', arguments: { server: 'files', tool, arguments: args } });
    for (let call = 0; call < 3; call += 1) await run('list_allowed_directories', {});
    await run('read_text_file', { path: join(product.home, 'missing.txt') });
    await client.close();

    await expect
      .poll(async () => (await figures('list_allowed_directories')).slice(0, 2))
      .toEqual(['Calls 3', 'Failed 0']);
    const [calls, failed, time = '', tokens = ''] = await figures('read_text_file');
    expect([calls, failed]).toEqual(['Calls 1', 'Failed 1']);
    expect(time).toMatch(/^Average \d+ m?s$/);
    expect(Number(tokens.replace('Tokens ', ''))).toBeGreaterThan(50);

    await sortBy('Calls');
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['list_allowed_directories', 'read_text_file']);
    expect(await header('Calls').getAttribute('aria-sort')).toBe('descending');
    await sortBy('Failed');
    await expect.poll(async () => (await names())[0]).toBe('read_text_file');
    expect(await header('Calls').getAttribute('aria-sort')).toBeNull();
    await sortBy('Failed');
    await expect.poll(async () => (await names())[0]).toBe('list_allowed_directories');
    expect(await findings(page)).toEqual([]);
  }, 60_000);

  it('is narrow beside an open tool, where it keeps the column that it is sorted by', async () => {
    await sortBy('Calls');
    await option('list_allowed_directories').click();
    await page.getByRole('heading', { level: 2, name: 'list_allowed_directories' }).waitFor();
    await expect.poll(() => figures('list_allowed_directories')).toEqual(['Calls 3']);
    await header('Failed').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Sort by: Calls' }).click();
    await page.getByRole('menuitemradio', { name: 'Server' }).click();
    await header('Calls').waitFor({ state: 'hidden' });
    expect(await figures('list_allowed_directories')).toEqual([]);
    await goTo(page, 'tools');
    await header('Tokens').waitFor();
  });

  it('is grouped by server, unless a text filter sorts it by relevance', async () => {
    const groups = list().locator('[data-group]');
    const counts = async () =>
      Promise.all((await groups.all()).map(async (group) => (await group.innerText()).split(/\s+/)));
    const all = await page.getByRole('option').first().getAttribute('aria-setsize');
    await expect.poll(async () => (await counts())[0]).toEqual(['files', String(Number(all) - 4)]);
    await list().press('End');
    await expect.poll(async () => (await counts()).at(-1)).toEqual(['issues', '4']);
    await goTo(page, 'tools');
    await page.getByRole('searchbox').fill('issue');
    await expect.poll(names).toEqual(['create_issue', 'update_issue', 'delete_repo', 'list_repos']);
    expect(await groups.count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => groups.count()).toBeGreaterThan(0);
  });

  it('filters by what the tools of a server can do', async () => {
    const deleting = page.getByRole('button', { name: 'issues: Delete 1' });
    await deleting.click();
    await expect.poll(names).toEqual(['delete_repo']);
    expect(await deleting.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'issues: Read 1' }).click();
    await expect.poll(names).toEqual(['list_repos']);
    await page.getByRole('button', { name: 'Remove the filter issues' }).click();
    await expect.poll(async () => (await names()).length).toBeGreaterThan(3);
    const reading = page.getByRole('button', { name: /^All servers: Read / });
    const [, count] = (await reading.innerText()).split(' ');
    await page.getByText(new RegExp(`^${count} of \\d+ tools$`)).waitFor();
    expect(await reading.getAttribute('aria-pressed')).toBe('true');
    expect(await findings(page)).toEqual([]);

    await reading.click();
    await page.getByRole('button', { name: 'Dangerous' }).click();
    await option('delete_repo').waitFor();
    await option('list_repos').waitFor({ state: 'detached' });
    await product.cli('override', 'issues', 'delete_repo', '--disable');
    await page.getByRole('button', { name: 'Dangerous' }).click();
    await page.getByRole('button', { name: 'Disabled' }).click();
    await expect.poll(names).toEqual(['delete_repo']);
    await deleting.waitFor({ state: 'detached' });
    expect(tests.pageErrors).toEqual([]);
  }, 60_000);
});
