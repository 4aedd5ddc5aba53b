/**
 * Imports the servers of three apps, connects one app through Toolkeep, and undoes both.
 *
 * @module-tag exhaustive
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, test } from 'vitest';
import { newProduct } from './product.ts';

const product = newProduct();
afterAll(() => product.dispose());

const npm = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '../../node_modules/@modelcontextprotocol', name, 'dist/index.js'), ...args],
});
const desktop = '.config/Claude/claude_desktop_config.json';
const original = `{\n\t// mine\n\t"mcpServers": {\n\t\t"everything": ${JSON.stringify(npm('server-everything'))},\n\t},\n\t"theme": "dark"\n}\n`;
const read = () => readFileSync(join(product.home, desktop), 'utf8');
const serversOf = async () => JSON.parse((await product.cli('config', 'show', '--json')).stdout).servers.configured;

test('The servers of three clients are imported, and one of the clients reaches all of them through one entry', async () => {
  product.file(desktop, original);
  product.file('.cursor/mcp.json', { mcpServers: { memory: npm('server-memory'), all: npm('server-everything') } });
  product.file('.codeium/windsurf/mcp_config.json', { mcpServers: { files: npm('server-filesystem', product.home) } });
  const imported = JSON.parse((await product.cli('import', '--all', '--json')).stdout);
  expect(imported.imported).toEqual(['everything', 'files', 'memory']);

  const shown = await product.cli('install', 'claude-desktop', '--dry-run');
  expect(shown.stdout).toContain('+\t\t"toolkeep": {');
  expect(read()).toBe(original);

  // Only servers that have started in Toolkeep leave the client's file.
  await product.cli('list');
  const done = await product.cli('install', 'claude-desktop', '--move-servers', '--yes');
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toContain('Now served by Toolkeep: everything');
  // JSON.parse would reject the comment; Toolkeep's entry is the only one left.
  const { mcpServers, theme } = JSON.parse(read().replace('// mine', ''));
  expect(theme).toBe('dark');
  expect(Object.keys(mcpServers)).toEqual(['toolkeep']);

  const client = new Client({ name: 'claude-ai', version: '1' });
  await client.connect(new StdioClientTransport({ ...mcpServers.toolkeep, env: product.env }));
  expect((await client.listTools()).tools).toHaveLength(5);
  const servers = await client.callTool({ name: 'list_mcp_servers', arguments: {} });
  for (const name of ['everything', 'files', 'memory']) expect(JSON.stringify(servers.content)).toContain(name);
  const status = JSON.parse((await product.cli('install', '--list', '--json')).stdout) as Record<string, unknown>[];
  expect(status.find((app) => app.client === 'claude-desktop')).toMatchObject({
    state: 'installed',
    connectedAt: expect.any(Number),
  });
  await client.close();
  const after = JSON.parse((await product.cli('install', '--list', '--json')).stdout) as Record<string, unknown>[];
  const last = after.find((app) => app.client === 'claude-desktop');
  expect(last).toMatchObject({ state: 'installed', lastConnectedAt: expect.any(Number) });
  expect(last).not.toHaveProperty('connectedAt');
});

test('A removed entry is reported and restored, and uninstalling restores the original bytes', async () => {
  product.file(desktop, '{}');
  expect((await product.cli('install', '--list')).stdout).toContain('the client removed the entry');
  expect((await product.cli('install', 'claude-desktop', '--yes')).code).toBe(0);
  expect((await product.cli('undo', 'claude-desktop', '--yes')).stdout).toContain('Restored the file.');
  product.file(desktop, original);
  await product.cli('install', 'claude-desktop', '--yes');
  expect(read()).not.toBe(original);
  expect((await product.cli('uninstall', 'claude-desktop', '--yes')).code).toBe(0);
  expect(read()).toBe(original);
});

test('An unreadable file stays unchanged and is reported with the line and the next step', async () => {
  product.file('.cursor/mcp.json', '{ "mcpServers": {');
  const refused = await product.cli('install', 'cursor');
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toMatch(/line 1.*\n.*Fix the file/);
});

test('An import can be undone, and servers found later are marked as unseen until the user dismisses them', async () => {
  expect(await serversOf()).toBe(3);
  expect((await product.cli('import', '--undo', '--yes')).stdout).toContain('Removed 3 servers');
  expect(await serversOf()).toBe(0);
  await product.cli('import', '--source', 'windsurf', '--yes');
  product.file('.codeium/windsurf/mcp_config.json', {
    mcpServers: { files: npm('server-filesystem', product.home), late: { command: 'late-server' } },
  });
  const { entries } = JSON.parse((await product.cli('import', '--dry-run', '--json')).stdout) as {
    entries: { server: { name: string }; isUnseen?: boolean }[];
  };
  expect(entries.filter(({ isUnseen }) => isUnseen).map(({ server }) => server.name)).toEqual(['late']);
});

test.each([
  ['claude-code', '.claude.json', 'alwaysLoad'],
  ['qwen-code', '.qwen/settings.json', 'alwaysLoadTools'],
])('The entry of %s keeps the meta-tools from being deferred, except in full mode', async (client, file, key) => {
  const entry = () => JSON.parse(readFileSync(join(product.home, file), 'utf8')).mcpServers.toolkeep;
  product.file(file, {});
  expect((await product.cli('install', client, '--yes')).code).toBe(0);
  expect(entry()[key]).toBe(true);
  expect((await product.cli('install', client, '--mode', 'full', '--yes')).code).toBe(0);
  expect(entry()).not.toHaveProperty(key);
});

test('A connection to a server that does not exist is refused with the reason', async () => {
  const client = new Client({ name: 'claude-ai', version: '1' });
  const refused = client.connect(new StdioClientTransport(product.bridge('--mode', 'full', '--server', 'nope')));
  await expect(refused).rejects.toThrow('There is no server "nope". See `toolkeep list`.');
});

describe.sequential('Removing Toolkeep from all clients', () => {
  const own = newProduct();
  afterAll(() => own.dispose());
  const server = npm('server-memory');
  const before: Record<string, string> = {
    [desktop]: `{\n  // mine\n  "mcpServers": { "moved": ${JSON.stringify(server)} }\n}\n`,
    '.cursor/mcp.json': '{"mcpServers": {}}',
    '.codex/config.toml': '# mine\n[mcp_servers.other]\ncommand = "other"\n',
    '.codeium/windsurf/mcp_config.json': '{"mcpServers": {"toolkeep": {"command": "other-program"}}}',
    '.gemini/settings.json': '{ "mcpServers": {',
  };
  const now = () =>
    Object.fromEntries(Object.keys(before).map((path) => [path, readFileSync(join(own.home, path), 'utf8')]));
  let connected: Record<string, string>;

  test('shows every file in the preview, and writes none', async () => {
    for (const [path, text] of Object.entries(before)) own.file(path, text);
    await own.cli('import', '--all', '--json');
    await own.cli('list');
    expect((await own.cli('install', 'claude-desktop', '--move-servers', '--yes')).code).toBe(0);
    for (const client of ['cursor', 'codex']) expect((await own.cli('install', client, '--yes')).code).toBe(0);
    connected = now();
    expect(connected[desktop]).not.toContain('"moved"');
    const shown = await own.cli('uninstall', '--all', '--dry-run');
    for (const app of ['Claude Desktop', 'Cursor', 'Codex']) expect(shown.stdout).toContain(app);
    expect(shown.stdout).not.toContain('other-program');
    expect(shown.stdout).toContain('.gemini/settings.json');
    expect(now()).toEqual(connected);
    const unasked = await own.cli('uninstall', '--all');
    expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect(now()).toEqual(connected);
  });

  test('restores every file byte for byte, keeps the entries of other programs, and reports unreadable files', async () => {
    const done = await own.cli('uninstall', '--all', '--yes', '--json');
    const { removed, problems } = JSON.parse(done.stdout) as { removed: string[]; problems: { file: string }[] };
    expect(removed.toSorted()).toEqual(['claude-desktop', 'codex', 'cursor']);
    expect(problems.map(({ file }) => file)).toEqual([join(own.home, '.gemini/settings.json')]);
    expect(done.code).toBe(3);
    expect(now()).toEqual(before);
  });

  test('can be undone for each file; after another removal, nothing is left to remove', async () => {
    for (const client of ['claude-desktop', 'codex', 'cursor'])
      expect((await own.cli('undo', client, '--yes')).code).toBe(0);
    expect(now()).toEqual(connected);
    own.file('.gemini/settings.json', '{}');
    expect((await own.cli('uninstall', '--all', '--yes')).code).toBe(0);
    expect(now()).toEqual({ ...before, '.gemini/settings.json': '{}' });
    expect(await own.cli('uninstall', '--all')).toMatchObject({
      code: 0,
      stdout: 'Toolkeep is not installed in any client.\n',
    });
    expect((await own.cli('uninstall')).stderr).toContain('--all');
  });
});
