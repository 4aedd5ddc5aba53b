/** The list of changes in the built product: it says what was changed and by whom, and undoes it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NewUser, startNewUser } from './new-user.ts';
import { findings, goTo } from './open-window.ts';

let user: NewUser;
beforeAll(async () => {
  user = await startNewUser((product) => {
    const office = { command: process.execPath, args: [join(import.meta.dirname, '../../fixtures/office.mjs')] };
    product.file('.toolkeep/config.json', { mcpServers: { office } });
    product.file('.cursor/mcp.json', { mcpServers: {} });
  });
  await user.product.cli('tools', '--server', 'office');
});
afterAll(() => user.close());

const entries = () => user.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
const cursorFile = () => readFileSync(join(user.product.home, '.cursor/mcp.json'), 'utf8');

describe.sequential('The user of the built product', () => {
  it('sees that nothing was changed, then a change that was made in a terminal', async () => {
    const { page } = user;
    await goTo(page, 'history/changes');
    await page.getByText('No changes yet').waitFor();
    await user.product.cli('override', 'office', 'delete_page', '--disable');
    await entries().filter({ hasText: 'Disabled office/delete_page' }).getByText('In a terminal').waitFor();
    expect(await findings(page)).toEqual([]);
  }, 60_000);

  it('undoes it with the keyboard, after the difference was shown, and then undoes the undo', async () => {
    const { page } = user;
    await page.getByRole('button', { name: 'Undo: Disabled office/delete_page' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
    await dialog.getByText('Afterward, agents may be allowed more than now.').waitFor();
    await dialog.getByRole('region', { name: 'Difference' }).getByText('enabled:').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await entries().filter({ hasText: 'In a terminal' }).getByText('Undo…').waitFor();

    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Undo', exact: true }).focus();
    await page.keyboard.press('Enter');
    await entries().first().getByText('In the window · by Undo').waitFor();
    await entries().filter({ hasText: 'In a terminal' }).getByText('Undone').waitFor();
    await page.locator('ul[aria-label="Changes"]:focus').waitFor();
    const overrides = async () => (await user.product.cli('override')).stdout;
    expect(await overrides()).not.toContain('delete_page');

    await page.getByRole('button', { name: /^Undo: Let the rules decide/ }).press('Enter');
    await entries().nth(2).waitFor();
    await entries().first().getByText('Disabled office/delete_page').waitFor();
    expect(await overrides()).toContain('delete_page');
    expect(await findings(page)).toEqual([]);
  }, 60_000);

  it('sees what an undo of “Disconnect all” would change in the files, before it happens', async () => {
    const { page } = user;
    await user.product.cli('install', 'cursor', '--yes');
    const connected = cursorFile();
    await goTo(page, 'clients');
    await page.getByRole('button', { name: 'Disconnect all…' }).click();
    await page.getByRole('button', { name: 'Disconnect 1 client' }).click();
    await page.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
    await dialog.getByRole('region', { name: 'Changes to the file' }).getByText('"toolkeep"').waitFor();
    expect(cursorFile()).not.toBe(connected);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await entries().first().getByText('Restored the file of Cursor').waitFor();
    expect(cursorFile()).toBe(connected);
    expect(await findings(page)).toEqual([]);
  }, 60_000);

  it('gets the same list in a terminal', async () => {
    const { stdout } = await user.product.cli('history', '--changes');
    expect(stdout).toContain('Disabled office/delete_page');
    expect(stdout).toContain('In a terminal · Undone');
    const listed = JSON.parse((await user.product.cli('history', '--changes', '--limit', '1', '--json')).stdout);
    expect(listed).toMatchObject([{ items: [{ subject: 'clientFiles', name: 'Cursor' }] }]);
    expect(user.pageErrors).toEqual([]);
  }, 60_000);
});
