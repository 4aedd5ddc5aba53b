/** The dialog that adds a server: advanced fields are collapsed, problems appear beside their field, and invalid input never reaches Core. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findings, startWindowTests, type WindowTests } from './open-window.ts';

let tests: WindowTests;
beforeAll(async () => {
  tests = await startWindowTests();
});
afterEach(() => tests.clear());
afterAll(() => tests.close());

const open = async (kind?: string) => {
  const opened = await tests.open();
  const { page } = opened;
  await page.getByRole('button', { name: 'Add server' }).click();
  if (kind) await page.getByRole('radio', { name: kind }).check();
  const add = () => page.getByRole('button', { name: 'Add', exact: true }).click();
  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
  /** The accessible description of a field. */
  const description = (name: string) =>
    field(name).evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id: string) => input.ownerDocument.getElementById(id)?.textContent)
        .join(' '),
    );
  return { ...opened, add, field, description };
};

it('The form accepts instances in a collapsed section and validates the number like Core', async () => {
  const { page, core, add, field, description } = await open();
  await field('Command line').fill('npx -y @playwright/mcp');
  expect(await field('Instances').isVisible()).toBe(false);
  await page.getByRole('dialog').locator('summary').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  for (const [typed, problem] of [
    ['40', 'Must be at most 16, not 40.'],
    ['0', 'Must be at least 1, not 0.'],
    ['2.5', 'Must be a whole number from 1 to 16, "per-client" or "per-folder", not 2.5.'],
    ['three', 'Must be a whole number from 1 to 16, "per-client" or "per-folder", not "three".'],
  ] as const) {
    await field('Instances').fill(typed);
    await page.keyboard.press('Enter');
    await page.getByText(problem).waitFor();
    expect(await description('Instances')).toBe(`Number of processes that share the calls (1–16). ${problem}`);
  }
  expect(core.saved).toEqual([]);
  await field('Instances').fill('3');
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved).toMatchObject([{ connection: { command: 'npx', instances: 3 } }]);
});

it('Environment variables have rows, pasted lines too, and the values of secrets are hidden', async () => {
  const { page, core, add, field } = await open();
  await field('Command line').fill('npx -y server');
  await page.getByLabel('Variable 1', { exact: true }).fill('MODE');
  await field('Value of MODE').fill('fast=1');
  await page.getByRole('button', { name: 'Add another' }).click();
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '# from the README\\nexport API_TOKEN="s3cret"\\nREGION=eu\\n');
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('[aria-label="Variable 2"]').dispatchEvent(paste);
  }`);
  expect(await page.getByLabel('Value of API_TOKEN').getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Remove MODE' }).click();
  await page.getByLabel('Variable 2', { exact: true }).fill('');
  await add();
  await page.getByText('Give each value a name').waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Variable 2', { exact: true }).fill('ZONE');
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved).toMatchObject([{ connection: { env: { API_TOKEN: 's3cret', ZONE: 'eu' } } }]);
});

it('A secret stays hidden when it takes the place of one that was shown', async () => {
  const { page, field } = await open();
  await page.getByLabel('Variable 1', { exact: true }).fill('A_TOKEN');
  await field('Value of A_TOKEN').fill('one');
  await page.getByRole('button', { name: 'Add another' }).click();
  await page.getByLabel('Variable 2', { exact: true }).fill('B_TOKEN');
  await field('Value of B_TOKEN').fill('two');
  await page.getByRole('button', { name: 'Show value' }).first().click();
  expect(await field('Value of A_TOKEN').getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Remove A_TOKEN' }).click();
  expect(await field('Value of B_TOKEN').inputValue()).toBe('two');
  expect(await field('Value of B_TOKEN').getAttribute('type')).toBe('password');
});

it.each([
  ['"github": { "command": "npx", "args": ["-y", "server-github"] }', 'github-2', { command: 'npx' }],
  ['"mcpServers": { "db": { "command": "uvx", "args": ["mcp-db"], }, }', 'db', { command: 'uvx' }],
  ['{ "servers": { "a": { "url": "https://a.example/mcp" } } }', 'a', { type: 'http', url: 'https://a.example/mcp' }],
  [
    'npx -y @modelcontextprotocol/server-memory',
    'memory-2',
    { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  ],
  ['https://mcp.linear.app/sse', 'linear', { type: 'sse', url: 'https://mcp.linear.app/sse' }],
  [
    '{ "mcp": { "local": { "type": "local", "command": ["npx", "-y", "tool"], "environment": { "A": "1" } } } }',
    'local',
    { command: 'npx', args: ['-y', 'tool'], env: { A: '1' } },
  ],
  ['claude mcp add --env KEY=v1 airtable -- npx -y airtable-mcp', 'airtable', { command: 'npx', env: { KEY: 'v1' } }],
  [
    'claude mcp add --transport http sentry https://mcp.sentry.dev/mcp --header "X: y"',
    'sentry-2',
    { type: 'http', url: 'https://mcp.sentry.dev/mcp', headers: { X: 'y' } },
  ],
  [
    'gemini mcp add files node server.js --root /tmp',
    'files',
    { command: 'node', args: ['server.js', '--root', '/tmp'] },
  ],
  ['[mcp_servers.docs]\ncommand = "npx"\nargs = ["docs-mcp"]', 'docs', { command: 'npx', args: ['docs-mcp'] }],
  ['mcpServers:\n  db:\n    command: uvx\n    args: [mcp-db]\n', 'db', { command: 'uvx', args: ['mcp-db'] }],
  ['memory:\n  command: npx\n  args:\n    - server-memory\n', 'memory-2', { command: 'npx', args: ['server-memory'] }],
  [
    `cursor://anysphere.cursor-deeplink/mcp/install?name=linear&config=${btoa('{"url":"https://mcp.linear.app/mcp"}')}`,
    'linear',
    { type: 'http', url: 'https://mcp.linear.app/mcp' },
  ],
  [
    `https://cursor.com/en/install-mcp?name=db&config=${btoa('{"command":"uvx","args":["mcp-db"]}')}`,
    'db',
    { command: 'uvx' },
  ],
  [
    `vscode:mcp/install?${encodeURIComponent('{"name":"files","command":"npx","args":["files"]}')}`,
    'files',
    { command: 'npx', args: ['files'] },
  ],
  ['{ "command": "npx", "args": ["-y", "server-brave"] }', 'brave', { command: 'npx' }],
])('The form adds a server from the pasted snippet %j', async (snippet, name, connection) => {
  const { page, core, add, field } = await open('Paste');
  await field('From the server’s documentation').fill(snippet);
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved).toMatchObject([{ name, connection }]);
});

it('The form accepts a dropped file', async () => {
  const { page, core, add, field } = await open('Paste');
  const drop = `(() => {
    const data = new DataTransfer();
    data.items.add(new File(['{"mcpServers":{"dropped":{"command":"npx"}}}'], 'mcp.json'));
    const target = document.querySelector('dialog textarea, [role=dialog] textarea');
    target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  })()`;
  await page.evaluate(drop);
  await expect.poll(() => field('From the server’s documentation').inputValue()).toContain('dropped');
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved).toMatchObject([{ name: 'dropped' }]);
});

it('The form tests a server before it is saved', async () => {
  const { page, core, field } = await open();
  await field('Command line').fill('missing --flag');
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The command “missing” was not found on PATH.').waitFor();
  await field('Command line').fill('npx works');
  expect(await page.getByRole('dialog').getByText('was not found').count()).toBe(0);
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The server works: 9 tools, version 1.4.0, started in 812 ms.').waitFor();
  expect(core.saved).toEqual([]);
  expect(await findings(page)).toEqual([]);
});

it('The form explains the mistake in a pasted snippet', async () => {
  const { page, core, add, field } = await open('Paste');
  await field('From the server’s documentation').fill('{ "mcpServers": { "a": { "command": "npx" ');
  await add();
  await page.getByText('Check the brackets, commas and quotes.').waitFor();
  expect(core.saved).toEqual([]);
});

it('The form accepts replicas and an OAuth client, hides its secret, and focuses the invalid field', async () => {
  const { page, core, add, field, description } = await open('URL');
  await field('URL').first().fill('https://mcp.slack.com/mcp');
  await page.getByRole('dialog').locator('summary').click();
  expect(await findings(page)).toEqual([]);
  const secret = page.getByRole('dialog').getByLabel('Client secret');
  expect(await secret.getAttribute('type')).toBe('password');
  await secret.fill('s3cret');
  await field('Replicas').fill('https://b.example/mcp\n\nb.example');
  // A problem opens the collapsed section again.
  await page.getByRole('dialog').locator('summary').click();
  await add();
  await page.getByText('“b.example”: A URL starts with https://').waitFor();
  expect(await field('Replicas').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  expect(await description('Client ID')).toBe('Must not be empty.');
  await field('Client ID').fill('1601.88');
  await field('Replicas').fill('https://b.example/mcp\nhttps://mcp.slack.com/mcp');
  await field('Redirect URL').fill('https://elsewhere.example/callback');
  await add();
  await page.getByText('https://mcp.slack.com/mcp is already a URL of this server.').waitFor();
  expect(await description('Redirect URL')).toContain(
    'Must be a loopback URL with a port, such as "http://localhost:3118/callback", not "https://elsewhere',
  );
  expect(await findings(page)).toEqual([]);
  await field('Replicas').fill('https://b.example/mcp');
  await field('Scopes').fill('channels:read, chat:write');
  await field('Redirect URL').fill('http://localhost:3118/callback');
  await add();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(core.saved.map(({ connection }) => connection)).toEqual([
    {
      type: 'http',
      url: 'https://mcp.slack.com/mcp',
      headers: {},
      replicas: ['https://b.example/mcp'],
      oauth: {
        clientId: '1601.88',
        clientSecret: 's3cret',
        scopes: ['channels:read', 'chat:write'],
        redirectUrl: 'http://localhost:3118/callback',
      },
    },
  ]);
});
