/** The built product shows what happens now, per server and per client, and changes it with few clicks. */
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
  await user.product.cli('install', 'cursor', '--yes');
  await user.product.cli('tools', '--server', 'office');
});
afterAll(() => user.close());

describe.sequential('The user of the built product', () => {
  it('sees which tools run freely and which ask, and moves one', async () => {
    const { page } = user;
    await goTo(page, 'servers/office');
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await column('Runs freely').getByText('search_pages').waitFor();
    expect(await column('Asks once').getByRole('link').allInnerTexts()).toEqual(['create_page']);
    expect(await column('Asks every time').getByRole('link').allInnerTexts()).toEqual(['delete_page', 'send_payment']);
    await page.getByRole('button', { name: 'Move create_page' }).click();
    await page.getByRole('menuitem', { name: 'Runs freely' }).click();
    await page.getByText('Agents can now run create_page without a question.').waitFor();
    await column('Runs freely').getByText('create_page').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await column('Asks once').getByText('create_page').waitFor();
    expect(await findings(page)).toEqual([]);
  }, 60_000);

  it('lets Cursor delete nothing with one choice, and a wider choice says so first', async () => {
    const { page } = user;
    const client = await user.startCursor();
    const run = async (tool: string) =>
      JSON.stringify(
        await client.callTool({
          name: 'execute_tool',
          arguments: { server: 'office', tool, arguments: { page: 'p' } },
        }),
      );
    await goTo(page, 'clients/access');
    await page.getByRole('combobox', { name: 'Cursor on every server' }).selectOption('harmless');
    await page.getByText('Cursor cannot use dangerous tools on any server, such as those that delete.').waitFor();
    expect(await run('delete_page')).toContain('is disabled for this client');
    await goTo(page, 'tools/office/delete_page');
    await page.getByText('A rule for one client can still disable it for that client.').waitFor();
    await goTo(page, 'clients/access');
    expect(await run('read_page')).toContain('read_page done');

    await page.getByRole('combobox', { name: 'Cursor on office' }).selectOption('free');
    const dialog = page.getByRole('dialog', { name: 'Allow Cursor more?' });
    await dialog.getByText('Cursor can use office without questions, except for dangerous tools').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('combobox', { name: 'Cursor on office' }).inputValue()).toBe('usual');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Cursor on every server' }).inputValue()).toBe('usual');
    expect(await findings(page)).toEqual([]);
    await client.close();
  }, 60_000);

  it('reads in the story of the day what Cursor did and what was stopped', async () => {
    const { page } = user;
    await goTo(page, 'home');
    await page.getByRole('link', { name: 'Story of today' }).click();
    const session = page
      .getByRole('list', { name: 'Story' })
      .getByRole('listitem')
      .filter({ hasText: 'Cursor' })
      .first();
    await session.getByText('Read 1 page in office').waitFor();
    expect(await session.getByRole('listitem').allInnerTexts()).toEqual([
      'delete_page was refused once on office\np',
      'Read 1 page in office',
    ]);
    expect(await findings(page)).toEqual([]);
    expect(user.pageErrors).toEqual([]);
  }, 60_000);
});
