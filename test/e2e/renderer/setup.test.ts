/**
 * Setting up servers and clients: every state is shown correctly, with a next step.
 *
 * @module-tag exhaustive
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('A server', () => {
  it('that fails to start is not announced as running', async () => {
    const { page, core } = await tests.open('servers/postgres');
    let restarts = 0;
    const { 'servers.restart': restart } = core.handlers;
    core.handlers['servers.restart'] = (input) => {
      restarts += 1;
      return restart(input);
    };
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => restarts).toBe(1);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('postgres is running.').count()).toBe(0);
  });

  it('is started only once when it is added', async () => {
    const { page, core } = await tests.open('servers');
    let restarts = 0;
    core.handlers['servers.restart'] = () => {
      restarts += 1;
      throw new Error('Saving starts the server.');
    };
    await page.getByRole('button', { name: 'Add server' }).click();
    await page.getByRole('textbox', { name: 'Command line' }).fill('npx once');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: 'Server once' }).waitFor();
    await page.waitForTimeout(300);
    expect(restarts).toBe(0);
  });

  it('can be edited without losing fields that the form does not show, and without showing its secrets', async () => {
    const { page, core } = await tests.open('servers/memory');
    await page.getByRole('button', { name: 'More for memory' }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit memory' });
    const command = dialog.getByRole('textbox', { name: 'Command line' });
    expect(await command.inputValue()).toBe('npx -y "server with space"');
    await command.fill('npx -y "server with space" --fast');
    const secret = dialog.getByLabel('Value of API_KEY');
    await secret.fill('new');
    expect(await secret.getAttribute('type')).toBe('password');
    await secret.fill('');
    expect(await secret.getAttribute('placeholder')).toBe('Stored secret');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved “memory”.').waitFor();
    expect(core.saved).toEqual([
      {
        name: 'memory',
        enabled: true,
        connection: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'server with space', '--fast'],
          env: { API_KEY: '«hidden-1»', MODE: 'fast' },
          cwd: '/srv',
        },
        lifecycle: { timeoutMs: 5000 },
      },
    ]);
  });

  it('keeps a stored secret in its own row while the name of another is typed', async () => {
    const { page } = await tests.open('servers/memory');
    await page.getByRole('button', { name: 'More for memory' }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit memory' });
    await dialog.getByLabel('Value of API_KEY').waitFor();
    await dialog.getByRole('button', { name: 'Add another' }).click();
    await dialog.getByLabel('Variable 3', { exact: true }).pressSequentially('API_KEY_TOKEN');
    expect(await dialog.getByLabel('Value of API_KEY_TOKEN').getAttribute('placeholder')).not.toBe('Stored secret');
    expect(await dialog.getByLabel('Value of API_KEY', { exact: true }).getAttribute('placeholder')).toBe(
      'Stored secret',
    );
  });

  it('that needs a sign-in is not shown as failed, and offers only the sign-in', async () => {
    const { page } = await tests.open('servers/sentry');
    const detail = page.getByRole('region', { name: 'Server sentry' });
    await detail.getByText('Sign-in needed').waitFor();
    await detail.getByRole('button', { name: 'Sign in…' }).waitFor();
    expect(await detail.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await detail.getByText('Failed', { exact: true }).count()).toBe(0);
  });

  it('that needs attention is counted in the navigation on every view', async () => {
    const { page } = await tests.open('rules');
    await page.getByRole('navigation', { name: 'Main' }).getByText('3 need attention').waitFor();
  });

  it('that was removed can be restored', async () => {
    const { page, core } = await tests.open('servers/memory');
    await page.getByRole('button', { name: 'More for memory' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByText('You can import it again from').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'Server memory' }).waitFor();
    expect(core.state.servers.map(({ id }) => id)).toContain('memory');
  });

  it('that exists only in Toolkeep is not shown as importable', async () => {
    const { page, core } = await tests.open('servers/memory');
    const server = core.state.servers.find(({ id }) => id === 'memory');
    Object.assign(server ?? {}, { origins: [{ source: 'Toolkeep' }] });
    core.emit('servers.changed', { servers: ['memory'] });
    await page.getByText('Toolkeep', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'More for memory' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByText('This server exists only in Toolkeep.').waitFor();
    expect(await page.getByText('import it again').count()).toBe(0);
  });

  it('is found by its name, its command or its problem', async () => {
    const { page } = await tests.open('servers');
    const rows = page.getByRole('list', { name: 'Servers' }).getByRole('listitem');
    await page.getByRole('searchbox', { name: 'Filter servers' }).fill('server-files');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Filter servers' }).fill('');
    await page.getByRole('radio', { name: /^Problems/ }).check({ force: true });
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(3);
    for (const text of await rows.allInnerTexts()) expect(text).toMatch(/Failed|Sign-in needed/);
  });
});

describe('An import', () => {
  it('is undone only after a confirmation that names the servers', async () => {
    const { page, core } = await tests.open('import');
    const dialog = page.getByRole('dialog', { name: 'Undo the last import?' });
    await page.getByRole('button', { name: 'Undo last import' }).click();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(['memory']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(core.state.servers.map(({ id }) => id)).toContain('memory');
    await page.getByRole('button', { name: 'Undo last import' }).click();
    await dialog.getByRole('button', { name: 'Remove 1 server' }).click();
    await page.getByText('Removed memory.').waitFor();
    await page.getByRole('button', { name: 'Undo last import' }).waitFor({ state: 'detached' });
  });
});

describe('The list of clients', () => {
  it('shows the logo of a client, or its initials', async () => {
    const { page } = await tests.open('clients');
    const rows = page.getByRole('main').getByRole('listitem');
    const glyph = rows.filter({ hasText: 'Cursor' }).locator('[style*="mask-image"]');
    const [, url = ''] = /url\("(.*)"\)/.exec((await glyph.getAttribute('style')) ?? '') ?? [];
    expect(await page.evaluate(async (address) => (await fetch(address)).text(), url)).toContain(
      '<title>Cursor</title>',
    );
    expect(await rows.filter({ hasText: 'VS Code' }).first().innerText()).toMatch(/^VC\n/);
  });
});

describe('Disconnecting all clients', () => {
  it('shows the change to each file first, and can be undone', async () => {
    const { page, core } = await tests.open('clients');
    const installed = async () => {
      const statuses = await core.handlers['install.status'](undefined);
      return statuses.filter(({ state }) => state === 'installed').map(({ client }) => client);
    };
    const before = await installed();
    expect(before.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Disconnect all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect all clients' });
    await dialog.getByText('"toolkeep": {').first().waitFor();
    expect(await installed()).toEqual(before);
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Disconnect \d+ client/ }).click();
    await page.getByText(/^Removed Toolkeep from \d+ client/).waitFor();
    expect(await installed()).toEqual([]);
    await page.getByRole('button', { name: 'Undo…', exact: true }).click();
    const undo = page.getByRole('dialog', { name: 'Undo this change?' });
    await expect.poll(() => undo.getByRole('region', { name: 'Changes to the file' }).count()).toBe(before.length);
    expect(await installed()).toEqual([]);
    expect(await findings(page)).toEqual([]);
    await undo.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone.').waitFor();
    expect(await installed()).toEqual(before);
  });
});

describe('The manual setup', () => {
  it('shows a command that starts the bridge', async () => {
    const { page } = await tests.open('clients');
    const code = page.getByRole('region', { name: /Edit Config and add/ });
    await expect.poll(() => code.innerText()).toContain('"command": "/opt/Toolkeep/toolkeep"');
    expect(await code.innerText()).toContain('"/home/ada/.toolkeep/bridge.cjs"');
  });
});

describe('High contrast', () => {
  it('shows which switches are on, which segment is selected and which view is open', async () => {
    const { page } = await tests.open('rules', { forcedColors: 'active' });
    const on = page.getByRole('switch', { checked: true }).first();
    await on.waitFor();
    const background = (checked: boolean) =>
      page
        .getByRole('switch', { checked })
        .first()
        .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor);
    expect(await background(true)).not.toBe(await background(false));
    const outline = page
      .getByRole('link', { name: 'Rules' })
      .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle);
    expect(await outline).toBe('solid');
  });
});
