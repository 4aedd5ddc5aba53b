/**
 * The first run with the real Core: from an empty computer, and from a client with fifty servers, to the first call.
 *
 * @module-tag exhaustive
 */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { type NewUser, startNewUser } from './new-user.ts';

const mostClicks = 8;

let user: NewUser;
afterEach(() => user.close());

describe('A new user', () => {
  it('with neither clients nor servers adds a server and sees the result of its first call', async () => {
    user = await startNewUser(() => undefined);
    const { page, press, click } = user;
    await page.getByText('Toolkeep found no MCP client on this computer.').waitFor();
    await press('Add a server');
    const { command, args } = commands.filesystem(user.product.home);
    await page.getByRole('textbox', { name: 'Command line' }).fill([command, ...args].join(' '));
    await click(page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }));
    const servers = page.getByRole('list', { name: 'Servers', exact: true }).getByRole('listitem');
    await servers.filter({ hasText: /14 tools.*Ready/s }).waitFor();
    await press('Continue');
    await page.getByText('Toolkeep found no client that it can configure.').waitFor();
    await press('Continue');
    await page.getByText('No client is connected yet.').waitFor();
    await press('Try a tool here instead');
    await click(page.getByRole('option', { name: /^list_allowed_directories/ }));
    await press('Try it…');
    await press(/^Run$/);
    await page.getByText(user.product.home).last().waitFor();
    expect(user.clicks()).toBeLessThanOrEqual(mostClicks);

    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: 'Connect a client' }).waitFor();
    await page.getByRole('list', { name: 'Recent calls' }).getByText('list_allowed_directories').waitFor();
    expect(await page.getByText('Continue setup').count()).toBe(0);
    expect(user.pageErrors).toEqual([]);
  }, 60_000);

  it('with fifty servers sees which ones work, and the first call', async () => {
    const tiny = join(import.meta.dirname, '../../fixtures/tiny.mjs');
    const names = Array.from({ length: 50 }, (_, index) => `server-${String(index + 1).padStart(2, '0')}`);
    user = await startNewUser((product) => {
      const start = (index: number) => {
        if (index === 7)
          return { command: process.execPath, args: ['-e', 'console.error("no license"); process.exit(3)'] };
        return index === 8
          ? { command: 'not-installed-anywhere' }
          : { command: process.execPath, args: [tiny, join(product.home, `${index}.log`)] };
      };
      const mcpServers = Object.fromEntries(names.map((name, index) => [name, start(index)]));
      product.file('.cursor/mcp.json', { mcpServers });
    });
    const { page, press } = user;
    await page.getByText(/^50 servers can move to Toolkeep/).waitFor();
    await press('Set up everything');
    const servers = page.getByRole('list', { name: 'Servers', exact: true }).getByRole('listitem');
    await expect.poll(() => servers.filter({ hasText: /1 tool.*Ready/s }).count(), { timeout: 60_000 }).toBe(48);
    await page.getByRole('list', { name: 'Needs attention' }).getByText('server-08 failed to start').waitFor();
    await page.getByText('Toolkeep has read the tools of the servers that started.').waitFor();
    await press('Continue');
    await page.getByText(/^Use Toolkeep to /).waitFor();
    await press('Copy prompt');
    // One does not start, and the command of the other is missing, so Cursor keeps both.
    await page.getByText('server-08, server-09 are still in your clients’ files.').waitFor();
    const client = await user.startCursor(['server-08', 'server-09']);
    await page.getByText('Cursor connected. Waiting for the first call…').waitFor();
    await client.callTool({ name: 'execute_tool', arguments: { server: 'server-01', tool: 'pid', arguments: {} } });
    await page.getByText('Cursor ran pid on server-01: OK').waitFor();
    expect(user.clicks()).toBe(3);
    await press(/^Finish$/);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await client.close();
    expect(user.pageErrors).toEqual([]);
  }, 180_000);
});
