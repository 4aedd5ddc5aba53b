/**
 * Bundles in the window with the real Core: the user drops or chooses a file, reviews its plan, and installs it.
 *
 * @module-tag exhaustive
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestFile, zipOf } from '../../fixtures/bundle.ts';
import { newProduct } from '../product.ts';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

const product = newProduct();
let tests: WindowTests;
let page: Page;
const server = readFileSync(join(import.meta.dirname, '../../fixtures/tiny.mjs'));
const bundleOf = (version: string) =>
  zipOf([
    manifestFile({
      ...{ manifest_version: '0.3', name: 'tiny-server', display_name: 'Tiny', version, author: { name: 'Ada' } },
      description: 'Tells its process.',
      server: {
        type: 'node',
        entry_point: 'server/index.mjs',
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/server/index.mjs', '${user_config.log}'],
          env: { API_TOKEN: '${user_config.token}' },
        },
      },
      user_config: {
        log: { type: 'file', title: 'Log file', description: 'Where to log.', required: true },
        token: { type: 'string', title: 'Token', description: 'Your token.', sensitive: true, required: true },
      },
    }),
    { name: 'server/index.mjs', content: server },
    // Large enough to need more than one part.
    { name: 'data.bin', content: Buffer.alloc(2_000_000, 'x'), method: 0 },
  ]);
const bundle = bundleOf('1.0.0');

beforeAll(async () => {
  tests = await startWindowTests();
  await product.serve();
  page = await tests.openUrl(await product.pageUrl());
});
afterAll(async () => {
  await tests.close();
  await product.dispose();
});
const received = () => readdirSync(join(product.home, '.toolkeep/bundles/.received'));
const main = () => page.getByRole('main');

async function drop(name: string, content: Buffer): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob('${content.toString('base64')}'), (char) => char.charCodeAt(0));
    transfer.items.add(new File([bytes], '${name}'));
    return transfer;
  })()`);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

describe.sequential('A user with a bundle', () => {
  it('drops it on the window, sees its plan, and installs it with its inputs', async () => {
    await page.evaluate("location.hash = '#/tools'");
    await drop('tiny.mcpb', bundle);
    await page.getByRole('heading', { level: 2, name: 'Tiny' }).waitFor();
    await main().getByText('Toolkeep cannot check who made a bundle. Author stated in the manifest: Ada.').waitFor();
    const log = join(product.home, 'log.txt');
    await page.getByRole('textbox', { name: 'log' }).fill(log);
    const token = page.getByLabel('token');
    expect(await token.getAttribute('type')).toBe('password');
    await token.fill('s3cret-of-the-user');
    await main().getByText('API_TOKEN').waitFor();
    expect(await main().innerText()).not.toContain('s3cret-of-the-user');
    expect(await findings(page)).toEqual([]);
    await expect.poll(() => main().getByRole('button', { name: 'Install' }).isEnabled()).toBe(true);
    await main().getByText(log).last().waitFor();
    await main().getByRole('button', { name: 'Install' }).click();
    await main().getByRole('link', { name: 'Try a tool' }).waitFor();
    expect(received()).toEqual([]);
    expect(readFileSync(log, 'utf8')).toMatch(/^\d+\n/);
    expect(readFileSync(join(product.home, '.toolkeep/settings.json'), 'utf8')).not.toContain('s3cret');
    expect(tests.pageErrors).toEqual([]);
  }, 60_000);

  it('opens a newer one, updates, and goes back with one click', async () => {
    await page.evaluate("location.hash = '#/tools'");
    await drop('tiny.mcpb', bundleOf('1.1.0'));
    await page.getByRole('heading', { level: 2, name: 'Update tiny' }).waitFor();
    await main().getByText('Version 1.0.0 → 1.1.0').waitFor();
    await main().getByRole('button', { name: 'Update to 1.1.0' }).click();
    await main().getByRole('button', { name: 'Go back to 1.0.0' }).click();
    await page.getByText('tiny is back on version 1.0.0.').waitFor();
    expect(received()).toEqual([]);
    expect(tests.pageErrors).toEqual([]);
  }, 60_000);

  it('chooses one in the box that adds servers, and sees why a damaged one is refused', async () => {
    mkdirSync(join(product.home, 'Downloads'), { recursive: true });
    const file = join(product.home, 'Downloads/damaged.mcpb');
    writeFileSync(file, bundle.subarray(0, -30));
    await page.evaluate("location.hash = '#/servers'");
    await main().getByRole('button', { name: 'Add server' }).click();
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Open a bundle…' }).click();
    await (await chosen).setFiles(file);
    await main().getByText('The file is not a bundle.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await main().getByRole('button', { name: 'Install' }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    expect(received()).toHaveLength(1);
    await page.evaluate("location.hash = '#/tools'");
    await expect.poll(received).toEqual([]);
  }, 60_000);

  it('opens no other file', async () => {
    await page.evaluate("location.hash = '#/tools'");
    await drop('notes.zip', bundle);
    await drop('empty.mcpb', Buffer.alloc(0));
    await page.getByText('The file is empty.').waitFor();
    expect(await page.evaluate('location.hash')).toBe('#/tools');
  });
});
