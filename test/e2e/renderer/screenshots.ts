/** Takes screenshots of every view for review: `node test/e2e/renderer/screenshots.ts FOLDER [name…]`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../fixtures/chromium.ts';
import { armed } from './open-window.ts';
import { createSampleCore, type SampleCore, type SampleOptions } from './sample-core.ts';
import { questionKinds, type SampleQuestion } from './sample-questions.ts';
import { tool } from './sample-tools.ts';
import { buildPage, servePage } from './serve-page.ts';

interface Shot {
  name: string;
  route: string;
  core?: SampleOptions;
  question?: SampleQuestion;
  /** Runs before the screenshot. */
  act?(page: Page, core: SampleCore): Promise<void>;
  sizes?: (keyof typeof sizes)[];
}

const sizes = {
  wide: { width: 1280, height: 800 },
  narrow: { width: 360, height: 740 },
  middle: { width: 800, height: 700 },
  /** A 1280 × 800 window at 200% zoom. */
  zoomed: { width: 640, height: 400 },
  prompt: { width: 520, height: 600 },
};

const shots: Shot[] = [
  { name: 'welcome', route: '', core: { empty: true }, sizes: ['wide', 'narrow'] },
  {
    name: 'welcome-nothing',
    route: 'rules',
    core: { empty: true },
    act: async (page, core) => {
      core.state.plan = { files: core.state.plan.files.map((file) => ({ ...file, found: false })), entries: [] };
      await page.evaluate("location.hash = '#/'");
      await page.getByText('Locations that Gatehouse checked').click();
    },
  },
  {
    name: 'welcome-servers',
    route: '',
    core: { empty: true },
    act: async (page) => page.getByRole('button', { name: 'Your servers' }).click(),
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'welcome-started',
    route: 'welcome',
    act: async (page) => page.getByRole('button', { name: 'Your servers' }).click(),
  },
  {
    name: 'welcome-clients',
    route: '',
    core: { empty: true },
    act: async (page) => {
      await page.getByRole('button', { name: 'Your clients' }).click();
      await page.getByText('Show the change').first().click();
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'welcome-try',
    route: 'welcome',
    act: async (page) => page.getByRole('button', { name: 'Try it' }).click(),
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'palette',
    route: 'home',
    act: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('file');
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'shortcuts',
    route: 'home',
    act: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
    },
  },
  { name: 'home', route: 'home', sizes: ['wide', 'narrow', 'middle'] },
  {
    name: 'home-busy',
    route: 'home',
    act: async (page, core) => {
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
    },
  },
  { name: 'home-empty', route: 'home', core: { empty: true }, sizes: ['wide', 'narrow'] },
  { name: 'servers', route: 'servers', sizes: ['wide', 'narrow', 'middle', 'zoomed'] },
  { name: 'server-ready', route: 'servers/filesystem', sizes: ['wide', 'narrow'] },
  {
    name: 'try-typed',
    route: 'home',
    act: async (page, core) => {
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
    },
    sizes: ['wide', 'narrow'],
  },
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
  {
    name: 'server-duplicate',
    route: 'servers/filesystem',
    act: async (page) => {
      await page.getByRole('button', { name: 'More for filesystem' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByText('The server works').waitFor();
    },
    sizes: ['wide', 'narrow'],
  },
  { name: 'server-failed', route: 'servers/postgres' },
  {
    name: 'server-log',
    route: 'servers/filesystem/log',
    act: async (page) => page.getByRole('option', { name: /^.*Received, error/ }).click(),
    sizes: ['wide', 'narrow', 'zoomed'],
  },
  { name: 'servers-error', route: 'servers', core: { broken: true } },
  {
    name: 'server-add',
    route: 'servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'server-add-instances',
    route: 'servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByRole('textbox', { name: 'Command line' }).fill('npx -y @playwright/mcp');
      await page.getByText('Advanced').click();
      await page.getByRole('textbox', { name: 'Instances' }).fill('40');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'server-add-oauth',
    route: 'servers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add server' }).click();
      await page.getByRole('radio', { name: 'URL' }).check();
      await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://mcp.slack.com/mcp');
      await page.getByText('Advanced').click();
      await page.getByLabel('Client secret').fill('not shown');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  { name: 'tools', route: 'tools', core: { tools: 10_000 }, sizes: ['wide', 'narrow'] },
  {
    name: 'tools-filtered',
    route: 'tools/filesystem/delete_file',
    core: { tools: 10_000 },
    act: async (page) => {
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('searchbox').fill('delete');
    },
    sizes: ['wide'],
  },
  { name: 'tool-held', route: 'tools/github/create_issue', sizes: ['wide', 'narrow'] },
  { name: 'tool-hostile', route: 'tools/memory/tricky' },
  { name: 'tools-empty', route: 'tools', core: { empty: true } },
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
  { name: 'rules', route: 'rules', sizes: ['wide', 'narrow'] },
  {
    name: 'rules-draft',
    route: 'rules',
    core: { tools: 1000 },
    act: async (page) => {
      await page.getByRole('switch').nth(3).click();
      await page.getByRole('switch').nth(0).click();
      await page.getByText('change.').waitFor();
    },
    sizes: ['wide', 'narrow'],
  },
  { name: 'rule-editor', route: 'rules', act: (page) => page.getByRole('button', { name: 'Add rule' }).click() },
  { name: 'rules-empty', route: 'rules', core: { empty: true } },
  { name: 'import', route: 'import', sizes: ['wide', 'narrow'] },
  { name: 'browse', route: 'browse', sizes: ['wide', 'narrow'] },
  { name: 'browse-first', route: 'browse', core: { empty: true }, sizes: ['wide', 'narrow'] },
  {
    name: 'browse-entry',
    route: 'browse/official/io.github.acme%2Fnotes',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'folder' }).fill('/home/ada/My notes');
      await page.getByText('/home/ada/My notes').first().waitFor();
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'browse-warnings',
    route: 'browse/official/io.github.acne%2Fnotes',
    sizes: ['wide', 'narrow'],
  },
  { name: 'clients', route: 'clients', sizes: ['wide', 'narrow'] },
  {
    name: 'install',
    route: 'clients',
    act: (page) => page.getByRole('button', { name: 'Connect…' }).first().click(),
    sizes: ['wide', 'narrow'],
  },
  { name: 'profiles', route: 'clients/profiles' },
  { name: 'clients-empty', route: 'clients', core: { empty: true } },
  {
    name: 'history',
    route: 'history',
    act: async (page, core) => {
      const ids = { callId: 'c1', server: 'filesystem', tool: 'delete_file' };
      const reasons = ['its name contains “delete”', 'the server says that it is destructive'];
      core.state.results.c1 = { content: [{ type: 'text', text: 'Deleted /tmp/old.log' }] };
      core.record({ ...ids, id: 'c1a', kind: 'approval', outcome: 'allowed', scope: 'once', arguments: '', reasons });
      const times = { durationMs: 9_400, waitedMs: 8_900, arguments: '{"path":"/tmp/old.log"}' };
      core.record({ ...ids, ...times, id: 'c1b', kind: 'call', outcome: 'ok' });
      await page.locator('summary').first().click();
    },
    sizes: ['wide', 'narrow'],
  },
  { name: 'savings', route: 'history/savings', sizes: ['wide', 'narrow'] },
  { name: 'settings', route: 'settings', sizes: ['wide', 'narrow'] },
  { name: 'settings-approvals', route: 'settings/approvals', sizes: ['wide', 'narrow'] },
  { name: 'settings-secrets', route: 'settings/secrets', sizes: ['wide', 'narrow'] },
  { name: 'settings-folders', route: 'settings/folders', sizes: ['wide', 'narrow'] },
  {
    name: 'folder-review',
    route: 'settings/folders/%2Fhome%2Fada%2Fsrc%2Fshop',
    act: (page) => page.getByRole('button', { name: 'Trust this content' }).waitFor(),
    sizes: ['wide', 'narrow', 'zoomed'],
  },
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
    sizes: ['wide', 'narrow'],
  },
  { name: 'settings-status', route: 'settings/status', sizes: ['wide', 'narrow'] },
  { name: 'server-sign-in', route: 'servers/sentry' },
  {
    name: 'servers-grouped',
    route: 'servers',
    act: async (page, core) => {
      await core.handlers['servers.tag']({ servers: ['github', 'sentry'], add: ['work', 'code'], remove: [] });
      await core.handlers['servers.tag']({ servers: ['memory', 'weather'], add: ['personal'], remove: [] });
      await page.getByRole('combobox', { name: 'Order' }).selectOption('Grouped by tag');
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'server-tags',
    route: 'servers/github',
    act: async (page, core) => {
      await core.handlers['servers.tag']({ servers: ['github', 'sentry'], add: ['work', 'code'], remove: [] });
      await page.getByRole('button', { name: 'More for github' }).click();
      await page.getByRole('menuitem', { name: 'Tags…' }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'server-prompts',
    route: 'servers/github/prompts/review_pull_request',
    act: async (page) => {
      await page.getByLabel('repository').fill('acme/shop');
      await page.getByLabel('number').fill('7');
      await page.getByRole('button', { name: 'Get prompt' }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  {
    name: 'server-resources',
    route: 'servers/filesystem/resources',
    act: async (page) => {
      await page.getByText('Log of a day').click();
      await page.getByLabel('service').fill('core');
      await page.getByRole('button', { name: 'Read' }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  ...questionKinds.map(
    (question): Shot => ({ name: `question-${question}`, route: 'servers', question, sizes: ['wide', 'narrow'] }),
  ),
  {
    name: 'question-always',
    route: 'servers',
    question: 'approval',
    act: async (page) => {
      await armed(page);
      await page.getByRole('button', { name: 'Always…' }).click();
    },
    sizes: ['wide', 'narrow'],
  },
  { name: 'question-zoomed', route: 'servers', question: 'approval', sizes: ['zoomed'] },
  { name: 'prompt-window', route: 'question', question: 'approval', sizes: ['prompt'] },
  { name: 'prompt-window-form', route: 'question', question: 'form', sizes: ['prompt'] },
];

async function take(browser: Browser, rendererDir: string, shot: Shot, folder: string): Promise<void> {
  const core = createSampleCore(shot.core);
  const served = await servePage(rendererDir, core);
  for (const size of shot.sizes ?? ['wide']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      if (colorScheme === 'dark' && size !== 'wide' && size !== 'prompt') continue;
      const context = await browser.newContext({ viewport: sizes[size], colorScheme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(served.url);
      await page.goto(`${new URL(served.url).origin}/#/${shot.route}`);
      await page.waitForTimeout(150);
      if (shot.question && core.state.questions.length === 0) void core.ask(shot.question);
      await shot.act?.(page, core);
      await page.waitForTimeout(shot.question ? 900 : 350);
      await page.screenshot({ path: join(folder, `${shot.name}-${size}-${colorScheme}.png`) });
      await context.close();
    }
  }
  await served.close();
}

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node test/e2e/renderer/screenshots.ts FOLDER [name…]');
mkdirSync(folder, { recursive: true });
const rendererDir = buildPage();
const browser = await launchChromium();
try {
  for (const shot of shots)
    if (names.length === 0 || names.includes(shot.name)) await take(browser, rendererDir, shot, folder);
} finally {
  await browser.close();
}
