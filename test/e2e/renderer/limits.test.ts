/** The built product never widens what an agent may do without saying so. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NewUser, startNewUser } from './new-user.ts';
import { armed, goTo } from './open-window.ts';

let user: NewUser;
beforeAll(async () => {
  user = await startNewUser((product) => {
    const office = { command: process.execPath, args: [join(import.meta.dirname, '../../fixtures/office.mjs')] };
    product.file('.toolkeep/config.json', { mcpServers: { office } });
    product.file('.cursor/mcp.json', { mcpServers: {} });
  });
  await user.product.cli('profiles', 'save', 'work', '--servers', 'office');
  await user.product.cli('install', 'cursor', '--profile', 'work', '--yes');
});
afterAll(() => user.close());

describe.sequential('The user of the built product', () => {
  it('limits a payment by account and amount with two clicks', async () => {
    const { page, clicks } = user;
    const client = await user.startCursor();
    const pay = (amount: number, iban = 'DE02') =>
      client.callTool({
        name: 'execute_tool',
        arguments: { server: 'office', tool: 'send_payment', arguments: { iban, amount, currency: 'EUR' } },
      });
    const first = pay(49.5);
    const dialog = page.getByRole('dialog', { name: 'A question for you' });
    await armed(page);
    const before = clicks();
    await user.click(dialog.getByRole('button', { name: 'Always…' }));
    for (const limit of ['iban is DE02', 'amount is at most 49.5', 'currency is EUR'])
      expect(await dialog.getByRole('checkbox', { name: limit }).isChecked()).toBe(true);
    await user.click(dialog.getByRole('button', { name: 'Always allow' }));
    expect(clicks() - before).toBe(2);
    expect(JSON.stringify(await first)).toContain('send_payment done');

    expect(JSON.stringify(await pay(20))).toContain('send_payment done');
    for (const wider of [() => pay(49.51), () => pay(1, 'DE99')]) {
      const asked = wider();
      await armed(page);
      await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
      expect(JSON.stringify(await asked)).toContain('APPROVAL_DENIED');
    }
    await client.close();
  }, 60_000);

  it('reads on Home that a client has lost its profile', async () => {
    const { page } = user;
    await goTo(page, 'clients/profiles');
    await page.getByRole('button', { name: 'Remove work' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove profile “work”?' });
    await dialog.getByText('Cursor will have no tools until you choose another profile.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Removed profile “work”.').waitFor();
    await goTo(page, 'home');
    const matters = page.getByRole('list', { name: 'Needs attention' });
    await matters.getByText('Cursor has no tools: its profile does not exist').waitFor();
    await matters.getByRole('link', { name: 'Choose another profile for Cursor' }).click();
    await page.getByText('No profile “work”').waitFor();
    expect(user.pageErrors).toEqual([]);
  }, 60_000);
});
