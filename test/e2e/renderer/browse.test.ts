/**
 * Browsing a registry in the window with the real Core: from an empty list to the first call, and refused installations.
 *
 * @module-tag exhaustive
 */
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { type FakeRegistry, generateItems, npmPackage, registryItem, startRegistry } from '../../fixtures/registry.ts';
import { newProduct } from '../product.ts';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

const require = createRequire(import.meta.url);
const { version } = require('@modelcontextprotocol/server-filesystem/package.json') as { version: string };
const filesystem = '@modelcontextprotocol/server-filesystem';

const product = newProduct();
let tests: WindowTests;
let registry: FakeRegistry;
let npm: NpmRegistry;
let page: Page;

beforeAll(async () => {
  [tests, registry, npm] = await Promise.all([
    startWindowTests(),
    startRegistry(generateItems(500)),
    startNpmRegistry(),
  ]);
  npm.extra.set(filesystem, { mcpName: 'io.github.acme/files' });
  registry.items.push(
    registryItem('io.github.acme/files', {
      title: 'Acme Files',
      description: 'Reads and writes the files in a folder.',
      packages: [
        npmPackage(filesystem, version, {
          packageArguments: [{ type: 'positional', valueHint: 'folder', format: 'filepath', isRequired: true }],
        }),
      ],
    }),
    registryItem('io.github.acme/secretive', {
      description: 'Needs a secret.',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://acme.example/mcp',
          headers: [{ name: 'X-Key', isRequired: true, isSecret: true }],
        },
      ],
    }),
  );
  product.file('.npmrc', `registry=${npm.url}\n`);
  product.file('.toolkeep/config.json', { registries: [{ name: 'test', url: registry.url }] });
  await product.serve();
  page = await tests.openUrl(await product.pageUrl());
  // On a busy machine, npm and the first start of the installed server take longer than the usual 30 s.
  page.setDefaultTimeout(100_000);
});
afterAll(async () => {
  await tests.close();
  await product.dispose();
  await Promise.all([registry.close(), npm.close()]);
});

const main = () => page.getByRole('main');
const entries = () => main().getByRole('list', { name: 'Servers' });

describe.sequential('A new user who looks for a server', () => {
  it('makes the first call of a new server after six clicks', async () => {
    const started = performance.now();
    let clicks = 0;
    const press = async (role: 'link' | 'button', name: string | RegExp) => {
      clicks += 1;
      await main().getByRole(role, { name }).first().click();
    };
    await press('link', 'Browse servers');
    await main().getByText('Toolkeep downloads the list from').waitFor();
    expect(registry.requests).toEqual([]);
    await main().getByRole('link', { name: 'import the servers of your clients' }).waitFor();
    await main().getByRole('link', { name: 'Servers', exact: true }).click();
    await main().getByRole('link', { name: 'Browse servers' }).click();
    await press('button', 'Load list');
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('files in a folder');
    await press('link', /^Acme Files/);
    await page.getByRole('textbox', { name: 'folder' }).fill(product.home);
    await main().getByText(`${filesystem} names this entry as its own.`).waitFor();
    await press('button', 'Install');
    await press('link', 'Try a tool');
    await page.getByRole('heading', { level: 2, name: 'list_allowed_directories' }).waitFor();
    await press('button', 'Run');
    await main().getByText('Allowed directories:').first().waitFor();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.info(`From the first view to the first call: ${clicks} clicks, ${seconds} s.`);
    expect(clicks).toBeLessThanOrEqual(6);
    expect(tests.pageErrors).toEqual([]);
  }, 120_000);

  it('sees the installed server in the list, which is accessible', async () => {
    await page.evaluate("location.hash = '#/servers'");
    await main().getByRole('link', { name: 'Browse' }).click();
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('files in a folder');
    await entries()
      .getByRole('link', { name: /^Acme Files Installed/ })
      .click();
    await main().getByText('Installed as files, version 1.0.0').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('sees which input is missing, and enters a secret in a hidden field', async () => {
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('secretive');
    await entries()
      .getByRole('link', { name: /secretive/ })
      .click();
    await main().getByText('https://acme.example/mcp').last().waitFor();
    await main().getByRole('button', { name: 'Install' }).click();
    await main().getByText('Required.').waitFor();
    const field = page.getByLabel('X-Key');
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill('s3cret-from-the-window');
    await main().getByText('keeps secrets only until it quits').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await main().innerText()).not.toContain('s3cret-from-the-window');
    expect(tests.pageErrors).toEqual([]);
  });
});
