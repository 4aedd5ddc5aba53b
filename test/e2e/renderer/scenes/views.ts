/** Every view with ordinary data, and what a user does in it. */
import type { Page } from 'playwright-core';
import type { SampleCore } from '../sample-core.ts';
import { reasonsFor, tool } from '../sample-tools.ts';
import type { Scene } from './scene.ts';

export const viewScenes: Scene[] = [
  { name: 'home', route: 'home' },
  { name: 'home-busy', route: 'home', act: showProgress },
  { name: 'servers', route: 'servers' },
  { name: 'server-ready', route: 'servers/filesystem' },
  { name: 'server-failed', route: 'servers/postgres' },
  { name: 'server-sign-in', route: 'servers/sentry' },
  { name: 'server-disabled', route: 'servers/old-experiments' },
  {
    name: 'server-log',
    route: 'servers/filesystem/log',
    act: (page) => page.getByRole('option', { name: /Received.*error/ }).click(),
  },
  {
    name: 'servers-grouped',
    route: 'servers',
    prepare: tagServers,
    act: (page) => page.getByRole('combobox', { name: 'Order' }).selectOption('Grouped by tag'),
  },
  {
    name: 'server-tags',
    route: 'servers/github',
    prepare: tagServers,
    act: async (page) => {
      await page.getByRole('button', { name: 'More for github' }).click();
      await page.getByRole('menuitem', { name: 'Edit tags…' }).click();
    },
  },
  {
    name: 'server-prompts',
    route: 'servers/github/prompts/review_pull_request',
    act: async (page) => {
      await page.getByLabel('repository').fill('acme/shop');
      await page.getByLabel('number').fill('7');
      await page.getByRole('button', { name: 'Get prompt' }).click();
    },
  },
  {
    name: 'server-resources',
    route: 'servers/filesystem/resources',
    act: async (page) => {
      await page.getByText('Log of a day').click();
      await page.getByLabel('service').fill('core');
      await page.getByRole('button', { name: 'Read' }).click();
    },
  },
  { name: 'bundle', route: 'bundle' },
  { name: 'notifications', route: 'notifications' },
  { name: 'notifications-empty', route: 'notifications', data: { empty: true } },
  { name: 'servers-compact', route: 'servers/github', act: (page) => look(page, '{"density":"compact"}') },
  { name: 'home-larger', route: 'home', act: (page) => look(page, '{"textSize":"larger"}') },
  { name: 'tools', route: 'tools' },
  { name: 'tool-held', route: 'tools/github/create_issue' },
  { name: 'tool-dangerous', route: 'tools/filesystem/delete_file' },
  { name: 'tool-hostile', route: 'tools/memory/tricky' },
  { name: 'tool-typed', route: 'home', act: tryTyped },
  {
    name: 'tool-tried',
    route: 'tools/filesystem/read_text_file',
    act: async (page) => {
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('textbox', { name: 'path' }).fill('/home/ada/notes.md');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Hello, world.').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'tool-refused',
    route: 'tools/filesystem/write_file/try',
    act: async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('You did not allow this call').waitFor();
    },
  },
  { name: 'rules', route: 'rules' },
  {
    name: 'rules-draft',
    route: 'rules',
    data: { tools: 1000 },
    act: async (page) => {
      await page.getByRole('switch').nth(3).click();
      await page.getByRole('switch').nth(0).click();
      await page.getByText('change.').waitFor();
    },
  },
  { name: 'import', route: 'import' },
  {
    name: 'import-done',
    route: 'import',
    act: async (page, core) => {
      await page.getByRole('button', { name: /^Import \d servers$/ }).click();
      const [first] = core.state.servers.slice(-3);
      if (first) Object.assign(first, { status: 'ready', toolCount: 14 });
      core.emit('servers.changed', { servers: [] });
      await page.getByText('1 ready').waitFor();
    },
  },
  { name: 'browse', route: 'browse' },
  {
    name: 'browse-entry',
    route: 'browse/official/io.github.acme%2Fnotes',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'folder' }).fill('/home/ada/My notes');
      await page.getByText('/home/ada/My notes').first().waitFor();
    },
  },
  { name: 'browse-warnings', route: 'browse/official/io.github.acne%2Fnotes' },
  { name: 'clients', route: 'clients' },
  { name: 'profiles', route: 'clients/profiles' },
  { name: 'history', route: 'history', act: openEntry },
  {
    name: 'history-no-match',
    route: 'history',
    act: (page) => page.getByRole('searchbox').fill('no call has these words'),
  },
  { name: 'settings', route: 'settings' },
  { name: 'settings-approvals', route: 'settings/approvals' },
  { name: 'settings-secrets', route: 'settings/secrets' },
  { name: 'settings-folders', route: 'settings/folders' },
  {
    name: 'settings-search',
    route: 'settings/search',
    act: async (page) => {
      await page.getByRole('searchbox').fill('delete file');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page
        .getByRole('button', { name: /is the right tool/ })
        .first()
        .waitFor();
    },
  },
  { name: 'settings-status', route: 'settings/status' },
];

async function showProgress(page: Page, core: SampleCore): Promise<void> {
  core.state.active = [
    {
      id: 'a1',
      startedAt: Date.now() - 12_000,
      client: 'Claude Desktop',
      server: 'github',
      tool: 'search_code',
      isWaitingForUser: false,
      progress: { done: 3, total: 10, message: 'Page 3 of 10' },
    },
  ];
  core.emit('calls.changed', {});
  await page.getByText('Page 3 of 10').waitFor();
}

/** Every typed editor, and a result that is a table. */
async function tryTyped(page: Page, core: SampleCore): Promise<void> {
  const items = { type: 'object', properties: { id: { type: 'integer' }, label: { type: 'string' } } };
  const properties = {
    names: { type: 'array', items: { type: 'string' }, description: 'Who to invite.' },
    when: { type: 'object', properties: { day: { type: 'string', format: 'date' }, hours: { type: 'number' } } },
    rows: { type: 'array', items },
    level: { enum: [1, 2, 3] },
  };
  const inputSchema = { type: 'object', properties };
  core.state.tools.push(tool({ server: 'memory', name: 'typed', inputSchema }));
  const rows = Array.from({ length: 4 }, (_, id) => ({ id, name: `Row ${id}`, open: id % 2 === 0 }));
  core.handlers['tools.execute'] = () => ({ content: [{ type: 'text', text: JSON.stringify({ rows }) }] });
  await page.evaluate("location.hash = '#/tools/memory/typed'");
  await page.getByRole('button', { name: 'Try it…' }).click();
  for (const name of ['names', 'rows'])
    await page.getByRole('group', { name }).getByRole('button', { name: 'Add an item' }).click();
  await page.getByRole('textbox', { name: 'names 1' }).fill('ada');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('table').waitFor();
  await page.getByRole('heading', { name: 'Try it' }).scrollIntoViewIfNeeded();
}

/** Changes the appearance as another window would. */
async function look(page: Page, appearance: string): Promise<void> {
  await page.evaluate(`localStorage.setItem('toolkeep.appearance', '${appearance}');
    dispatchEvent(new StorageEvent('storage', { key: 'toolkeep.appearance' }))`);
}

function tagServers(core: SampleCore): void {
  void core.handlers['servers.tag']({ servers: ['github', 'sentry'], add: ['work', 'code'], remove: [] });
  void core.handlers['servers.tag']({ servers: ['memory', 'weather'], add: ['personal'], remove: [] });
}

/** The details of a call that was approved. */
async function openEntry(page: Page, core: SampleCore): Promise<void> {
  const ids = { callId: 'c1', server: 'filesystem', tool: 'delete_file' };
  const reasons = reasonsFor('delete_file', { destructiveHint: true });
  core.state.results.c1 = { content: [{ type: 'text', text: 'Deleted /tmp/old.log' }] };
  core.record({ ...ids, id: 'c1a', kind: 'approval', outcome: 'allowed', scope: 'once', arguments: '', reasons });
  const times = { durationMs: 9_400, waitedMs: 8_900, arguments: '{"path":"/tmp/old.log"}' };
  core.record({ ...ids, ...times, id: 'c1b', kind: 'call', outcome: 'ok' });
  await page.locator('summary').first().click();
}
