/** The built product on a computer without a keyring: the user sets a passphrase, and enters it after a restart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProduct, type Product } from '../product.ts';
import { findings, goTo, startWindowTests, type WindowTests } from './open-window.ts';

const passphrase = 'correct horse battery';
let product: Product;
let tests: WindowTests;
let page: Page;

beforeAll(async () => {
  product = newProduct();
  const args = [join(import.meta.dirname, '../../fixtures/office.mjs')];
  const office = { command: process.execPath, args, env: { OFFICE_TOKEN: '${secret:office}' } };
  product.file('.toolkeep/config.json', { mcpServers: { office } });
  tests = await startWindowTests();
});
afterAll(async () => {
  await tests.close();
  await product.dispose();
});

async function serve() {
  const core = await product.serve();
  page = await tests.openUrl(await product.pageUrl());
  return core;
}

async function type(label: string, text: string): Promise<void> {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).pressSequentially(text);
}

describe.sequential('The user of a computer without a keyring', () => {
  it('sets a passphrase by keyboard, and the secret of this run is kept', async () => {
    const core = await serve();
    await goTo(page, 'settings/secrets');
    await page.getByText('Kept in memory only.').waitFor();
    await page.getByRole('button', { name: 'Add secret' }).click();
    await type('Name', 'office');
    await type('Value', 'canary-Zq81xWm');
    await page.keyboard.press('Enter');
    await page.getByText('Saved office in the vault.').waitFor();

    await page.getByRole('button', { name: 'Set a passphrase…' }).press('Enter');
    await type('Passphrase', passphrase);
    await type('Repeat it', 'another');
    await page.getByText('This is not the same passphrase.').waitFor();
    expect(await page.getByRole('button', { name: 'Set passphrase' }).isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('dialog').getByLabel('Repeat it', { exact: true }).fill(passphrase);
    await page.keyboard.press('Enter');
    await page.getByText('Encrypted with passphrase.').waitFor();
    expect(readFileSync(join(product.home, '.toolkeep/vault.json'), 'utf8')).not.toContain('canary');
    // An open page would report that it cannot reach Core.
    await page.close();
    const ended = new Promise((resolve) => core.once('exit', resolve));
    core.kill();
    await ended;
  });

  it('reads on Home that the vault is locked, and unlocks it there', async () => {
    await serve();
    await goTo(page, 'home');
    const matters = page.getByRole('list', { name: 'Needs attention' });
    await matters.getByText('The vault is locked').waitFor();
    await matters.getByRole('button', { name: 'Enter the passphrase…' }).click();
    await type('Passphrase', 'incorrect horse');
    await page.keyboard.press('Enter');
    await page.getByText('The vault was created with another passphrase.').waitFor();
    await page.getByRole('dialog').getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.keyboard.press('Enter');
    await page.getByText('The vault is unlocked.').waitFor();
    await matters.getByText('The vault is locked').waitFor({ state: 'detached' });
    expect((await product.cli('secrets', 'list')).stdout).toContain('sealed with the passphrase');
    expect(tests.pageErrors).toEqual([]);
  });
});
