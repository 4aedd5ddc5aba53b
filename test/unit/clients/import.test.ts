/** Import of common clients' files in a temporary home folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planImport, readSource } from '../../../electron/core/clients/import/import.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
beforeEach(() => {
  host = testHost({ platform: 'linux' });
});
afterEach(() => host.dispose());

function put(path: string, content: unknown): string {
  const file = join(host.homeDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
}

const npx = (name: string, env?: Record<string, string>) => ({
  command: 'npx',
  args: ['-y', name],
  ...(env ? { env } : {}),
});

test('One plan lists the servers of all common clients, with client and file', async () => {
  put('.config/Claude/claude_desktop_config.json', { mcpServers: { memory: npx('server-memory') } });
  put('.claude.json', { mcpServers: { one: npx('one') }, projects: { '/p': { mcpServers: { two: npx('two') } } } });
  put('.codeium/windsurf/mcp_config.json', { mcpServers: { remote: { serverUrl: 'https://example.com/mcp' } } });
  put('.docker/mcp-servers.json', { mcpServers: { fetch: { command: 'docker', args: ['exec', 'fetch', 'fetch'] } } });
  put('.cursor/mcp.json', { mcpServers: { files: npx('server-filesystem') } });
  put('.config/Code/User/mcp.json', '{ // mine\n "servers": { "git": { "command": "uvx", "args": ["git"], }, }, }');
  writeFileSync(
    join(host.cwd, 'mcp-servers.yaml'),
    'servers:\n  wiki:\n    connection: {type: stdio, command: npx, args: [wiki]}\n',
  );
  const plan = await planImport(host, { known: [] });
  const names = plan.entries.map(({ server, state }) => `${server.name} ${state}`);
  expect(names.sort()).toEqual(
    ['memory', 'one', 'two', 'remote', 'fetch', 'files', 'git', 'wiki'].map((name) => `${name} new`).sort(),
  );
  expect(
    plan.files
      .filter(({ found }) => found)
      .map(({ app }) => app)
      .sort(),
  ).toEqual(
    ['Claude Code', 'Claude Desktop', 'Cursor', 'Custom file', 'Docker MCP Toolkit', 'VS Code', 'Windsurf'].sort(),
  );
  expect(plan.files.flatMap(({ problems }) => problems)).toEqual([]);
});

test('The .mcp.json of a project is a file of Visual Studio only on Windows', async () => {
  const project = host.cwd;
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { one: npx('one') } }));
  const { files } = await planImport(host, { known: [] });
  expect(files.filter(({ found }) => found).map(({ app }) => app)).toEqual(['Claude Code']);
});

test('A broken file is reported with its line, and the other files are imported', async () => {
  const broken = put('.cursor/mcp.json', '{\n  "mcpServers": {\n    "a": {\n');
  put('.config/Claude/claude_desktop_config.json', { mcpServers: { memory: npx('server-memory') } });
  const plan = await planImport(host, { known: [] });
  expect(plan.entries.map(({ server }) => server.name)).toEqual(['memory']);
  const problem = plan.files.find(({ file }) => file === broken)?.problems[0];
  expect(problem).toMatchObject({ code: 'CLIENT_FILE_INVALID', file: broken, line: 4 });
});

test('readSource accepts the source types of config files', async () => {
  const file = put('.docker/mcp-servers.json', { mcpServers: { fetch: npx('fetch') } });
  const read = await readSource(host, { type: 'docker-mcp', path: '~/.docker/mcp-servers.json' });
  expect(read).toMatchObject({ found: true, problems: [] });
  expect(read.servers).toMatchObject([{ name: 'fetch', origins: [{ source: 'docker', file }] }]);
  expect(await readSource(host, { type: 'windsurf', path: '~/.windsurf/mcp.json' })).toMatchObject({
    found: false,
    servers: [],
  });
  expect((await readSource(host, { type: 'nothing', path: 'x' })).problems[0]?.message).toContain('"nothing"');
});

test('An entry whose values have names of methods does not keep the others from being imported', async () => {
  const odd = { command: 'a', timeout: { toString: 'x' }, tool_timeout_sec: { valueOf: 1 }, type: { toString: 'x' } };
  put('.config/Claude/claude_desktop_config.json', { mcpServers: { odd, memory: npx('server-memory') } });
  put('.gemini/settings.json', { mcpServers: { odd, other: npx('other') } });
  put('.config/goose/config.yaml', { extensions: { odd, goose: { cmd: 'goose', type: 'stdio', args: [] } } });
  const { entries } = await planImport(host, { known: [] });
  expect(entries.map(({ server }) => server.name)).toEqual(expect.arrayContaining(['memory', 'other', 'goose']));
});

test('A timeout that is longer than a timer can wait is shortened', async () => {
  put('.codex/config.toml', '[mcp_servers.slow]\ncommand = "slow"\ntool_timeout_sec = 1e12\n');
  const { entries } = await planImport(host, { known: [] });
  expect(entries.map(({ server }) => server.lifecycle)).toEqual([{ timeoutMs: 2_147_483_647 }]);
});

test('A sandbox is imported on Linux, and a note says that it is lost elsewhere', async () => {
  const sandbox = {
    filesystem: { allowWrite: ['/tmp', '${workspaceFolder}'], denyRead: ['~/.ssh'] },
    network: { allowedDomains: ['api.example.com', '*.example.org', 7] },
  };
  const sandboxed = { command: 'node', sandboxEnabled: true, sandbox };
  put('.config/Code/User/mcp.json', { servers: { files: sandboxed, plain: { command: 'node', args: ['b.js'] } } });
  const onLinux = await planImport({ ...host, platform: 'linux' }, { known: [] });
  expect(onLinux.entries.map(({ server }) => server.sandbox)).toEqual([
    {
      auto: true,
      files: { read: [], write: ['/tmp'] },
      network: { allow: ['api.example.com', '*.example.org'] },
    },
    undefined,
  ]);
  put('Library/Application Support/Code/User/mcp.json', {
    servers: { files: sandboxed, plain: { command: 'node', args: ['b.js'] } },
  });
  const { entries } = await planImport({ ...host, platform: 'darwin' }, { known: [] });
  const notesOf = (name: string) => entries.find(({ server }) => server.name === name)?.notes;
  expect(notesOf('files')).toContain('Its client runs it in a sandbox; Toolkeep runs it without one.');
  expect(notesOf('plain')).not.toContain('Its client runs it in a sandbox; Toolkeep runs it without one.');
});

test('A Codex entry keeps its OAuth redirect URL, and a note names the settings that are not imported', async () => {
  put(
    '.codex/config.toml',
    `[mcp_servers.crm]
url = "https://crm.example/mcp"
startup_timeout_sec = 90
oauth_resource = "https://crm.example"
oauth = { client_id = "abc", callback_url = "http://127.0.0.1:5599/callback" }
`,
  );
  const [crm] = (await planImport(host, { known: [] })).entries;
  expect(crm?.server.connection).toMatchObject({ oauth: { redirectUrl: 'http://127.0.0.1:5599/callback' } });
  expect(crm?.notes).toContain('Has settings that are not imported: startup_timeout_sec, oauth_resource.');
});

test('A manifest of an extension receives only the references and variables that the user entered', async () => {
  const settings = { token: 'op://Private/Hub/token', item: 'GitHub', standard: 'op://Private/Bank/pin' };
  put('.config/Claude/Claude Extensions Settings/ant.x.json', { isEnabled: true, userConfig: settings });
  const asked = '${input:op://Private/GitHub/token}';
  const env = {
    WRITTEN: ['op://Private/GitHub/token', asked],
    BRACED: ['a ${op://Private/GitHub/token}', `a ${asked}`],
    DEFAULT: ['${user_config.unset}', asked],
    STANDARD: ['${user_config.standard}', '${input:op://Private/Bank/pin}'],
    COMPOSED: ['op://Private/${user_config.item}/token', asked],
    VARIABLE: ['${GITHUB_TOKEN}', '${input:GITHUB_TOKEN}'],
    VAULT: ['${secret:hub/token}', '${input:hub/token}'],
    ENTERED: ['${user_config.token}', '${op://Private/Hub/token}'],
  };
  const given = Object.fromEntries(Object.entries(env).map(([name, [written]]) => [name, written]));
  put('.config/Claude/Claude Extensions/ant.x/manifest.json', {
    name: 'x',
    server: { mcp_config: { command: 'node', args: ['${user_config.token}', 'op://a/b/c'], env: given } },
    user_config: {
      ...{ token: { type: 'string' }, item: { type: 'string' } },
      standard: { type: 'string', default: settings.standard },
      unset: { type: 'string', default: 'op://Private/GitHub/token' },
    },
  });
  const { entries } = await planImport(host, { sources: ['claude-extensions'], known: [] });
  expect(entries.map(({ server }) => server.connection)).toMatchObject([
    {
      args: ['${op://Private/Hub/token}', '${input:op://a/b/c}'],
      env: Object.fromEntries(Object.entries(env).map(([name, [, stored]]) => [name, stored])),
    },
  ]);
});
