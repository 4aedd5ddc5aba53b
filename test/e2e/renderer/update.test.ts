/**
 * Updating a server in the window with the real Core: from the notice to the decision and the revert.
 *
 * @module-tag exhaustive
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notesEntry, publishNotes } from '../../fixtures/notes-package.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { type FakeRegistry, startRegistry } from '../../fixtures/registry.ts';
import { newProduct } from '../product.ts';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

const product = newProduct();
let tests: WindowTests;
let registry: FakeRegistry;
let npm: NpmRegistry;
let page: Page;
const find = { name: 'find_notes', description: 'Finds notes.' };

beforeAll(async () => {
  [tests, registry, npm] = await Promise.all([startWindowTests(), startRegistry(), startNpmRegistry()]);
  product.file('.npmrc', `registry=${npm.url}\n`);
  product.file('.toolkeep/config.json', { registries: [{ name: 'test', url: registry.url }] });
  registry.items = [publishNotes(npm, '1.0.0', { tools: [find] })];
  const folder = join(product.home, 'notes');
  mkdirSync(folder);
  await product.cli('registry', 'update');
  const installed = await product.cli('registry', 'add', notesEntry, '--input', `folder=${folder}`, '--yes');
  expect(installed.stdout).toContain('Installed notes: 1 tool.');
  const purge = { name: 'purge_notes', description: 'Deletes all notes.' };
  registry.items = [
    publishNotes(npm, '2.0.0', { tools: [find, purge], package: { allowHosts: ['api.acme.example'] } }),
  ];
  await product.cli('registry', 'update');
  await product.serve();
  page = await tests.openUrl(await product.pageUrl());
}, 120_000);
afterAll(async () => {
  await tests.close();
  await product.dispose();
  await Promise.all([registry.close(), npm.close()]);
});

const main = () => page.getByRole('main');
const open = async () => {
  await page.evaluate("location.hash = '#/servers/notes'");
  await main().getByText('Update available: version 2.0.0. You have 1.0.0.').last().waitFor();
  await main().getByRole('link', { name: 'See what changes' }).click();
};
describe.sequential('A user whose server has an update', () => {
  it('sees it on the start page, with a link to the changes', async () => {
    await page.evaluate("location.hash = '#/home'");
    const row = page
      .getByRole('list', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: 'Update available' });
    await row.getByText('Version 2.0.0. You have 1.0.0.').waitFor();
    expect(await findings(page)).toEqual([]);
    await row.getByRole('link', { name: 'See what changes in notes' }).click();
    await main().getByRole('heading', { level: 2, name: 'Update notes' }).waitFor();
  }, 60_000);

  it('sees what changes and a new host, and keeps the old version', async () => {
    await open();
    // The view that closes may still show the same command.
    await main().getByText('npx -y @acme/notes-mcp@1.0.0').last().waitFor();
    await main().getByRole('listitem').filter({ hasText: 'New hostapi.acme.example' }).waitFor();
    await main().getByText('Yes: it sees only the files that its configuration names').waitFor();
    await main().getByText('api.acme.example named by its publisher, and allowed').waitFor();
    await main().getByText('Agents cannot use new and changed tools until you accept them.').waitFor();
    expect(await findings(page)).toEqual([]);
    await main().getByRole('link', { name: 'Keep 1.0.0' }).click();
    // The view that closes may still be there.
    await main().getByText('Update available: version 2.0.0').last().waitFor();
    expect((await product.cli('tools', 'notes')).stdout).not.toContain('purge_notes');
  }, 90_000);

  it('updates, and goes back with one click', async () => {
    await open();
    await main().getByRole('button', { name: 'Update to 2.0.0' }).click();
    await main().getByText('Updated from 1.0.0 to 2.0.0.').waitFor();
    await expect.poll(async () => (await product.cli('tools', 'notes')).stdout).toContain('purge_notes');
    expect(await findings(page)).toEqual([]);
    await main().getByRole('button', { name: 'Go back to 1.0.0' }).click();
    await main().getByText('Update available: version 2.0.0. You have 1.0.0.').last().waitFor();
    await expect.poll(async () => (await product.cli('tools', 'notes')).stdout).not.toContain('purge_notes');
    expect(tests.pageErrors).toEqual([]);
  }, 120_000);
});
