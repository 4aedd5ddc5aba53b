/** The window with the real Core: imports servers from a client, and runs a dangerous tool only after approval. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { newProduct } from '../product.ts';
import { armed, startWindowTests, type WindowTests } from './open-window.ts';

const product = newProduct();
let tests: WindowTests;
let address: string;

beforeAll(async () => {
  tests = await startWindowTests();
  product.file('.config/Claude/claude_desktop_config.json', {
    mcpServers: {
      filesystem: commands.filesystem(product.home),
      crasher: { command: process.execPath, args: ['-e', 'console.error("no license key"); process.exit(3)'] },
    },
  });
  await product.serve();
  address = await product.pageUrl();
});
afterAll(async () => {
  await tests.close();
  await product.dispose();
});

it('The UI leads from the first run to an approved and recorded call', async () => {
  const page = await tests.openUrl(address);
  await page.getByRole('heading', { name: 'Welcome to Gatehouse' }).waitFor();
  await page.getByRole('button', { name: 'Import 2 servers' }).click();
  await page.getByText('2 servers imported.').waitFor();

  await page.getByRole('link', { name: /^Servers/ }).click();
  await page
    .getByRole('link', { name: /^filesystem/ })
    .getByText('Running')
    .waitFor();
  await page
    .getByRole('link', { name: /^crasher/ })
    .getByText('Failed')
    .waitFor();

  await page.getByRole('link', { name: /^Tools/ }).click();
  await page.getByRole('searchbox').fill('write_file');
  await page.getByRole('option', { name: /^write_file/ }).click();
  await page.getByRole('button', { name: 'Try it…' }).click();
  const path = join(product.home, 'written.txt');
  await page.getByRole('textbox', { name: 'path' }).fill(path);
  await page.getByRole('textbox', { name: 'content' }).fill('from the window');
  await page.getByRole('button', { name: 'Run' }).click();

  await armed(page);
  await page.getByRole('dialog').getByText(path).first().waitFor();
  expect(existsSync(path)).toBe(false);
  await page.getByRole('button', { name: 'Once' }).click();
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toBe('from the window');
  await page.getByText('Done', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History' });
  await history.locator('summary', { hasText: 'write_file' }).first().click();
  await history.getByText('Approval: Allowed once').waitFor();
  expect(tests.pageErrors).toEqual([]);
}, 60_000);
