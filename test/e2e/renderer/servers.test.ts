/** Servers in the window: import, sign-in, lists and their details. */
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, goTo, loaded, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

describe('An import', () => {
  it('ends with how each server started, and how to fix those that failed', async () => {
    const { page, core } = await tests.open('import');
    await page.getByRole('checkbox', { name: /sentry/ }).uncheck();
    await page.getByRole('button', { name: 'Import 2 servers' }).click();
    await page.getByRole('heading', { name: /servers imported$/ }).waitFor();
    const [broken, working] = core.state.servers.slice(-2);
    if (!broken || !working) throw new Error('Two servers are imported.');
    Object.assign(working, { status: 'ready', toolCount: 14 });
    const failure = { code: 'SERVER_CRASHED' as const, message: 'It exited with code 1.', server: broken.id };
    Object.assign(broken, { status: 'failed', failure });
    core.emit('servers.changed', { servers: [broken.id, working.id] });
    await page.getByText('1 ready · 1 needs attention').waitFor();
    const needs = page.getByRole('list', { name: 'Needs attention' });
    await needs.getByRole('button', { name: /Try again/ }).waitFor();
    await page.getByRole('list', { name: 'Imported servers' }).getByText('14 tools').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  it('has its button above the toasts', async () => {
    const { page, core } = await tests.open('import', { viewport: { width: 1080, height: 500 } });
    const bar = page.getByRole('button', { name: /^Import \d servers$/ });
    await bar.waitFor();
    core.emit('tools.enableRequested', { client: 'Cursor', server: 'a', tool: 'b', reason: 'rule' });
    const toast = page.getByText('Cursor tried to use b').locator('..');
    const [above, below] = [await toast.boundingBox(), await bar.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  });
});

it("A confined server's page shows its limits, and allows what was refused", async () => {
  const { page, core } = await tests.open('servers/filesystem');
  const allowed: unknown[] = [];
  core.handlers['grants.allowDestinations'] = ({ destinations }) => void allowed.push(...destinations);
  const limits = page.locator('section', { hasText: 'May read' }).last();
  const text = async () => (await limits.innerText()).replaceAll('\n', ' ');
  for (const shown of [
    'May read',
    '/home/ann/Documents',
    'other hosts, after a question',
    'received GITHUB_TOKEN',
    'refused 3 times',
  ])
    await expect.poll(text).toContain(shown);
  expect(await findings(page)).toEqual([]);
  await limits.getByRole('button', { name: 'Allow this folder' }).click();
  await page.getByText('filesystem may use /home/ann/Pictures/Holidays.').waitFor();
  await limits.getByRole('button', { name: 'Allow this host' }).click();
  await page.getByText('filesystem may use telemetry.example.com:443.').waitFor();
  expect(allowed).toEqual([
    { kind: 'files', value: '/home/ann/Pictures/Holidays' },
    { kind: 'network', value: 'telemetry.example.com:443' },
  ]);
});

it('A sign-in that waits for the browser can be copied and cancelled', async () => {
  const { page, core } = await tests.open('servers/sentry', { permissions: ['clipboard-read', 'clipboard-write'] });
  const waiting = Promise.withResolvers<never>();
  const sentry = core.state.servers.find(({ id }) => id === 'sentry');
  core.handlers['servers.signIn'] = () => {
    Object.assign(sentry ?? {}, { signInPage: 'https://sentry.example/authorize?state=1' });
    core.emit('servers.changed', { servers: ['sentry'] });
    return waiting.promise;
  };
  await page.getByRole('button', { name: 'Sign in…' }).click();
  await page.getByRole('button', { name: 'Copy address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
    'https://sentry.example/authorize?state=1',
  );
  await page.getByRole('button', { name: 'Cancel' }).click();
  waiting.reject(new Error('The sign-in was cancelled.'));
  await page.getByRole('button', { name: 'Sign in…' }).waitFor();
  expect(await page.getByText('The sign-in was cancelled.').count()).toBe(0);
});

it('A path in the home folder starts with a tilde', async () => {
  const { page } = await tests.open('import');
  await page.getByText('~/.config/Claude/claude_desktop_config.json').waitFor();
  expect(await page.getByText('/home/ada/.config').count()).toBe(0);
});

it('The scan shows a broken file first and names it once, and collapses the files that do not exist', async () => {
  const { page } = await tests.open('import');
  const files = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Scanned files' }) })
    .last();
  const first = files.getByRole('listitem').first();
  await first.getByText('Windsurf', { exact: true }).waitFor();
  expect((await first.innerText()).match(/mcp_config\.json/g)).toHaveLength(1);
  const absent = files.getByText('Docker MCP Toolkit');
  expect(await absent.isVisible()).toBe(false);
  await files.getByText('2 files not found').click();
  await absent.waitFor();
});

it('A server shows that a tool is held, and no counts before it has connected', async () => {
  const { page } = await tests.open('servers/github');
  await page.getByText('1 tool is held until you review it.').waitFor();
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'create_issue' }).waitFor();
  await goTo(page, 'servers/postgres');
  await page.getByRole('heading', { level: 2, name: 'postgres' }).waitFor();
  expect(await page.getByText('prompts', { exact: true }).count()).toBe(0);
  await goTo(page, 'clients');
  await page.getByText('five tools', { exact: true }).waitFor();
  expect(await page.getByText('legacy protocol').count(), 'a technical detail').toBe(0);
  await goTo(page, 'home');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  expect(await page.getByRole('link', { name: /notifications/i }).count(), 'only in the navigation').toBe(1);
});

it('Only a server that was started confined is shown as such', async () => {
  const { page } = await tests.open('servers/filesystem');
  await page.getByText('Confined', { exact: true }).waitFor();
  await goTo(page, 'servers/github');
  await page.getByRole('heading', { level: 2, name: 'github' }).waitFor();
  expect(await page.getByText('Confined', { exact: true }).count()).toBe(0);
});

it('Technical details are shown only on request', async () => {
  const { page } = await tests.open('servers/filesystem');
  await page.getByText('Transport', { exact: true }).waitFor();
  expect(await page.getByText('Breaker').count()).toBe(0);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Status' }).click();
  await page.getByRole('switch', { name: 'Technical details' }).click();
  await page.getByRole('button', { name: 'Breaker' }).waitFor();
});

it('The status table is sorted by any column', async () => {
  const { page } = await tests.open('settings/status');
  const names = () => page.getByRole('rowheader').allInnerTexts();
  await page.getByRole('button', { name: 'Calls' }).click();
  await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['filesystem', 'github']);
  expect(await page.getByRole('columnheader', { name: 'Calls' }).getAttribute('aria-sort')).toBe('descending');
  await page.getByRole('button', { name: 'Server', exact: true }).click();
  await expect.poll(names).toEqual((await names()).toSorted());
  expect(await findings(page)).toEqual([]);
});

it('The servers of a profile are sorted and filtered', async () => {
  const { page } = await tests.open('clients/profiles', { tools: 400 });
  await loaded(page);
  await page
    .getByRole('button', { name: /profile/ })
    .first()
    .click();
  const servers = page.getByRole('dialog').getByRole('group', { name: 'Servers' });
  const boxes = servers.getByRole('checkbox');
  const names = await servers.locator('label.check').allInnerTexts();
  expect(names.length).toBeGreaterThan(8);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true })));
  await page.getByRole('searchbox', { name: 'Filter servers' }).fill('filesys');
  await expect.poll(() => boxes.count()).toBe(1);
});

it('A server has the icon that it declares, or a monogram, and questions never show an icon', async () => {
  const { page, core } = await tests.open('servers');
  const link = (name: string) => page.getByRole('list', { name: 'Servers' }).getByRole('link', { name });
  const icon = link('github').locator('img');
  await expect.poll(() => icon.evaluate((image: { naturalWidth?: number }) => image.naturalWidth)).toBeGreaterThan(0);
  await link('filesystem').getByText('Fi', { exact: true }).waitFor();
  void core.ask('enableRequest');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('github').first().waitFor();
  expect(await dialog.locator('img').count()).toBe(0);
});

it('The details of the first server are shown in a wide window, even while it recovers', async () => {
  const { page, core } = await tests.open('servers');
  const detail = page.getByRole('region', { name: 'Server postgres' });
  await detail.getByRole('button', { name: 'Try again' }).waitFor();
  const current = page.getByRole('list', { name: 'Servers' }).locator('[aria-current]');
  await current.filter({ hasText: 'postgres' }).waitFor();
  const server = core.state.servers.find(({ id }) => id === 'postgres');
  Object.assign(server ?? {}, { status: 'ready', failure: undefined });
  core.emit('servers.changed', { servers: ['postgres'] });
  await detail.getByRole('button', { name: 'Restart' }).waitFor();
  await page.setViewportSize({ width: 380, height: 740 });
  await detail.waitFor({ state: 'detached' });
  await page.getByRole('list', { name: 'Servers' }).waitFor();
  await current.waitFor({ state: 'detached' });
});

it('A new server is selected and visible, and a changed name is explained', async () => {
  const { page } = await tests.open('servers', { tools: 2_000 });
  await page.getByRole('button', { name: 'Add server' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Command line' }).fill('npx -y server-github');
  await page.getByText('Secrets move to the vault (Secret Service keyring) when you save.').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Added “github-2”. “github” already exists.').waitFor();
  const row = page.getByRole('list', { name: 'Servers' }).getByRole('link', { name: /^github-2/ });
  await row.waitFor();
  await expect
    .poll(async () => {
      const [box, list] = [await row.boundingBox(), await row.locator('xpath=ancestor::ul/..').boundingBox()];
      return box && list && box.y >= list.y && box.y + box.height <= list.y + list.height;
    })
    .toBe(true);
});

describe('The menu of a server', () => {
  const choose = async (item: string) => {
    const opened = await tests.open('servers/filesystem');
    const { page } = opened;
    await page.getByRole('button', { name: 'More for filesystem' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    return { ...opened, dialog: page.getByRole('dialog') };
  };

  it('duplicates the server under another name, with its secrets', async () => {
    const { page, core, dialog } = await choose('Duplicate…');
    const save = Promise.withResolvers<unknown>();
    core.handlers['servers.save'] = (input) => save.resolve(input);
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('filesystem-2');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    expect(await save.promise).toMatchObject({
      server: { name: 'filesystem-2', connection: { env: { API_KEY: '«hidden-1»' } } },
      basedOn: 'filesystem',
    });
    await page.getByText('Added “filesystem-2”.').waitFor();
  });

  it('renames it, and shows what the new name removes', async () => {
    const { page, core, dialog } = await choose('Edit…');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('github');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A server named “github” already exists.').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('files');
    await page.getByText('Renaming updates rules and profiles').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'files', exact: true }).waitFor();
    expect(core.state.servers.map(({ id }) => id)).not.toContain('filesystem');
  });
});

it('The command of a server is copied with one click', async () => {
  const { page } = await tests.open('servers/filesystem', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy command' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('@modelcontextprotocol/server-filesystem');
});

it('A server shows its environment with redacted secrets', async () => {
  const { page } = await tests.open('servers/filesystem');
  const detail = page.getByRole('region', { name: 'Server filesystem' });
  await detail.getByText('API_KEY').waitFor();
  await detail.getByText('••••••').first().waitFor();
  await detail.getByText('fast', { exact: true }).waitFor();
  expect(await page.getByText('«hidden').count()).toBe(0);
});

it('A removed server can be put back later, or deleted permanently', async () => {
  const { page, core } = await tests.open('servers/memory');
  const remove = async () => {
    await page.getByRole('button', { name: 'More for memory' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('dialog', { name: 'Remove memory?' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Recently removed (1)').click();
  };
  const ids = () => core.state.servers.map(({ id }) => id);
  await remove();
  expect(ids()).not.toContain('memory');
  await page.getByRole('button', { name: 'Put back memory' }).click();
  await page.getByRole('region', { name: 'Server memory' }).waitFor();
  expect(ids()).toContain('memory');
  await remove();
  await page.getByRole('button', { name: 'Delete memory permanently' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete memory permanently?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/^Recently removed/).waitFor({ state: 'detached' });
  expect(tests.pageErrors).toEqual([]);
});

it('The servers that match a filter are disabled in one step, and enabled again by Undo', async () => {
  const { page, core } = await tests.open('servers');
  const disabled = () => core.state.servers.filter(({ status }) => status === 'disabled').map(({ id }) => id);
  await loaded(page);
  const before = disabled();
  await page.getByRole('searchbox', { name: 'Filter servers' }).fill('npx');
  const menu = page.getByRole('button', { name: /^Change all \d servers$/ });
  await menu.click();
  await page.getByRole('menuitem', { name: /^Disable/ }).click();
  await page.getByText(/servers disabled\./).waitFor();
  expect(disabled()).toContain('filesystem');
  expect(disabled()).not.toContain('github');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/^Restored /).waitFor();
  expect(disabled()).toEqual(before);
});

it('The servers are sorted by calls', async () => {
  const { page } = await tests.open('servers');
  await page.getByRole('combobox', { name: 'Order' }).selectOption('calls');
  const rows = page.getByRole('list', { name: 'Servers' }).getByRole('link');
  await expect.poll(() => rows.first().innerText()).toContain('filesystem');
  expect(await rows.nth(1).innerText()).toContain('github');
});

const hasFocus = async (locator: Locator) => (await locator.and(locator.page().locator(':focus')).count()) === 1;

it('The keyboard filters the list, opens the details and returns to the row', async () => {
  const { page } = await tests.open('home');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('Control+2');
  const heading = page.getByRole('heading', { level: 1, name: 'Servers' });
  await expect.poll(() => hasFocus(heading)).toBe(true);
  await page.getByRole('searchbox', { name: 'Filter servers' }).fill('e');
  await page.keyboard.press('ArrowDown');
  const row = page.getByRole('list', { name: 'Servers' }).getByRole('link').first();
  await expect.poll(() => hasFocus(row)).toBe(true);
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: /^Server / });
  await expect.poll(() => details.locator('> :focus').count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => hasFocus(row)).toBe(true);
});

it('A server is copied as YAML for a config file', async () => {
  const { page } = await tests.open('servers/filesystem', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'More for filesystem' }).click();
  await page.getByRole('menuitem', { name: 'Copy as YAML' }).click();
  await page.getByText('Copied for a config file, without secrets.').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain('servers:\n  - name: "filesystem"\n    enabled: true\n    connection:\n      type: "stdio"');
});
