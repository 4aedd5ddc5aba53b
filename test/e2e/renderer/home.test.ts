/** The start page: what works, what needs the user, and current activity, each with its next step. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findings, loaded, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const item = { name: 'Needs attention' };

describe('The start page', () => {
  it('is shown first, and says what runs', async () => {
    const { page } = await tests.open('');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.getByText('Running · 41 of 43 tools enabled').waitFor();
  });

  it('pauses Toolkeep and resumes it', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Toolkeep is paused').first().waitFor();
    expect(core.state.paused).toBe(true);
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Running · 41 of 43 tools enabled').waitFor();
  });

  it('pauses Toolkeep for a time, and says until when', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('button', { name: 'Pause for a time' }).click();
    await page.getByRole('menuitem', { name: 'Pause until tomorrow' }).click();
    await page.getByText(/^Toolkeep is paused until .*12:00\sAM\./).waitFor();
    const end = new Date(core.state.pausedUntil ?? 0);
    expect([end.getHours(), end.getMinutes()]).toEqual([0, 0]);
    expect(end.getTime() - Date.now()).toBeLessThanOrEqual(25 * 3_600_000);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Running · 41 of 43 tools enabled').waitFor();
  });
});

describe('“Needs attention”', () => {
  it('lists everything that needs the user, each with a button that resolves it', async () => {
    const { page, core } = await tests.open('home');
    await page.getByRole('button', { name: /^Show all/ }).click();
    const rows = page.getByRole('list', item).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(10);
    const wanted = [
      ['postgres failed to start', 'Edit… postgres'],
      ['slack needs a value to start', 'Enter value… for slack'],
      ['sentry needs you to sign in', 'Sign in… to sentry'],
      ['A folder’s configuration is ignored', 'Review… /home/ada/src/shop'],
      ['1 tool on github may mislead agents', 'Review tools on github'],
      ['weather has a secret in plain text', 'Move to vault secrets from weather'],
      ['old-experiments has a secret in plain text', 'Show secrets in old-experiments'],
      ['VS Code removed Toolkeep from its file', 'Repair… VS Code'],
      ['The config file of Windsurf is invalid', 'Show Windsurf'],
      ['1 new server found in your clients', 'Import… new servers'],
    ] as const;
    for (const [text, name] of wanted) {
      const row = rows.filter({ hasText: text });
      await row.getByRole('button', { name }).or(row.getByRole('link', { name })).waitFor();
    }
    await page.getByRole('button', { name: 'Sign in… to sentry' }).click();
    await page.getByText('You are signed in to sentry.').waitFor();
    const sentry = core.state.servers.find(({ id }) => id === 'sentry');
    delete sentry?.failure;
    core.emit('servers.changed', { servers: ['sentry'] });
    await expect.poll(() => rows.count()).toBe(9);
    await page.getByRole('button', { name: 'Move to vault secrets from weather' }).click();
    await page.getByText('Moved 1 secret from weather to the vault.').waitFor();
    await expect.poll(() => rows.count()).toBe(8);
  });

  it('shows an open question with the time left after “Decide later”', async () => {
    const { page, core } = await tests.open('home');
    const answer = core.ask('approval');
    await page.getByRole('button', { name: 'Decide later' }).click();
    const row = page.getByRole('list', item).getByRole('listitem').first();
    await row.getByText('A call is waiting for your approval').waitFor();
    await row.getByRole('timer').waitFor();
    await row.getByRole('button', { name: 'Answer filesystem › delete_file' }).click();
    await page.getByRole('article').getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await answer).toMatchObject({ action: 'decline' });
  });

  it('opens the editor of a server whose command is wrong', async () => {
    const { page } = await tests.open('home');
    await page.getByRole('button', { name: 'Edit… postgres' }).click();
    await page.getByRole('dialog', { name: 'Edit postgres' }).waitFor();
  });

  it('says so if nothing needs the user', async () => {
    const nothing = {
      'attention.list': () => [],
      'install.status': () => [],
      'import.plan': () => ({ files: [], entries: [], lastImport: [] }),
      'registry.installed': () => [],
    };
    const { page } = await tests.open('home', { prepare: (core) => Object.assign(core.handlers, nothing) });
    await page.getByText('All good. Nothing needs attention.').waitFor();
  });

  it('does not say that all is good while agents have no tools', async () => {
    const { page } = await tests.open('home', {
      prepare: ({ state }) => {
        state.setupStep = 'done';
        state.servers = [];
      },
    });
    await page.getByText('Agents have no tools yet.').waitFor();
    expect(await page.getByText('All good.').count()).toBe(0);
  });
});

describe('“Today”', () => {
  it('marks the line of a client and a server while a call waits, and when one was refused', async () => {
    const { page, core } = await tests.open('home');
    const calls = page.getByRole('list', { name: 'Calls today' });
    await calls.getByText('Cursor to filesystem: 200 calls').waitFor();
    const marks = () => page.locator('g[data-mark]').evaluateAll((lines) => lines.map((line) => line.dataset.mark));
    expect(await marks()).toEqual([]);
    const from = { client: 'Cursor', server: 'memory', tool: 'open_nodes' };
    core.state.active = [{ id: 'a1', startedAt: Date.now(), ...from, isWaitingForUser: true }];
    core.emit('calls.changed', {});
    await expect.poll(marks).toEqual(['waiting']);
    core.state.active = [];
    core.emit('calls.changed', {});
    core.record({ ...from, outcome: 'refused' });
    await expect.poll(marks).toEqual(['refused']);
    await expect.poll(marks).toEqual([]);
  });
});

describe('“Now”', () => {
  it('shows a call in progress, cancels it, and adds calls as they end', async () => {
    const { page, core } = await tests.open('home');
    core.state.active = [
      {
        ...{ id: 'a1', startedAt: Date.now() - 12_000, client: 'Cursor', server: 'github', tool: 'search_code' },
        isWaitingForUser: false,
        progress: { done: 3, total: 10, message: 'Page 3 of 10' },
      },
    ];
    core.emit('calls.changed', {});
    const active = page.getByRole('list', { name: 'Calls in progress' });
    await active.getByText('Page 3 of 10').waitFor();
    expect(await active.getByRole('progressbar').getAttribute('value')).toBe('3');
    expect(await findings(page)).toEqual([]);
    await active.getByRole('button', { name: 'Cancel search_code' }).click();
    await active.waitFor({ state: 'detached' });

    core.record({ tool: 'open_nodes', client: 'Cursor' });
    const recent = page.getByRole('list', { name: 'Recent calls' }).getByRole('listitem');
    await recent.first().getByText('open_nodes').waitFor();
    await recent.first().getByText('OK').waitFor();
    await recent.first().getByRole('link').click();
    await page.getByRole('list', { name: 'History' }).getByText('open_nodes').waitFor();
    expect(await page.locator('details[open]').count()).toBe(1);
  });
});

describe('The usage', () => {
  it('counts a call of a server at once', async () => {
    const { page, core } = await tests.open('servers/github');
    await page.getByRole('region', { name: 'Server github' }).waitFor();
    const github = core.state.servers.find(({ id }) => id === 'github');
    if (github) github.calls = { ...github.calls, total: 4711 };
    core.record({ tool: 'search_code', server: 'github' });
    await page.getByText('4,711', { exact: true }).waitFor();
  });

  it('shows the slowest tools', async () => {
    const { page } = await tests.open('home');
    const row = page.getByRole('listitem').filter({ hasText: 'search_code' }).filter({ hasText: '34 calls' });
    await row.getByText('2.5 s · 34 calls').waitFor();
    await row.getByRole('link', { name: 'search_code' }).click();
    await page.getByRole('heading', { name: 'search_code' }).waitFor();
  });

  it('disables unused tools, and enables them again, with one click', async () => {
    const { page, core } = await tests.open('home');
    const disabled = () => core.state.tools.filter(({ override }) => override?.enabled === false).length;
    await page.getByText(/^34 tools not called since/).waitFor();
    await page.getByRole('button', { name: 'Disable…' }).click();
    expect(disabled()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('34 tools disabled.').waitFor();
    expect(disabled()).toBe(34);
    // The content behind the message can be scrolled into view.
    const main = page.locator('main');
    await main.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const bottoms = await main
      .locator('a, button, p')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));
    expect(Math.max(...bottoms)).toBeLessThan((await page.locator('[data-corner]').boundingBox())?.y ?? 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('34 tools enabled again.').waitFor();
    expect(disabled()).toBe(0);
  });
});

describe('The start page is accessible', () => {
  it.each([
    ['on a narrow screen', { viewport: { width: 380, height: 740 } }],
    ['at 200%', { viewport: { width: 640, height: 400 } }],
    ['in forced colors', { forcedColors: 'active' as const }],
    ['without any data', { empty: true }],
    ['with a failing Core', { broken: true }],
  ])('%s', async (_name, options) => {
    const { page } = await tests.open('home', options);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await loaded(page);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.querySelector("main").scrollWidth <= innerWidth')).toBe(true);
    expect(tests.pageErrors).toEqual([]);
  });
});
