/** A client sees only its profile, over the real bridge and over HTTP, with every method. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Serving, serveCore } from '../../../electron/http/serving.ts';
import type { Profile } from '../../../shared/model/profile.ts';
import type { OwnRule } from '../../../shared/model/rule.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { allowActs, type TestHost, testHost } from '../../fixtures/host.ts';
import { bridgeFile } from '../gateway/harness.ts';
import { spawnPeer } from '../gateway/raw-peer.ts';

let host: TestHost;
let serving: Serving;
let core: CoreClient;
const open: Client[] = [];

beforeAll(async () => {
  host = allowActs(testHost());
  host.store.set('servers', [
    serverConfig('work', commands.misbehaving('normal')),
    serverConfig('home', commands.misbehaving('normal')),
  ]);
  const tagged: Partial<OwnRule> = { pattern: ['echo'], tags: ['plain'] };
  host.store.set('rules', [{ pattern: [], active: true, ...tagged }]);
  serving = await serveCore(host, { rendererDir: host.homeDir });
  const [ours, theirs] = linkedWires();
  serving.attach(theirs, { answersQuestions: false });
  core = connectCore(ours);
  for (const server of ['work', 'home']) await core.call('servers.restart', { server });
  await save({ name: 'work', servers: ['work'] });
  await save({ name: 'plain', tags: ['plain'], mode: 'full' });
});
afterAll(async () => {
  core.close();
  await Promise.all(open.map((client) => client.close()));
  await serving.close();
  host.dispose();
});

const save = (profile: Partial<Profile> & { name: string }) =>
  core.call('profiles.save', { profile: { servers: [], tags: [], ...profile } });
const bridgeEnv = () => ({ TOOLKEEP_HOME: host.dataDir, PATH: process.env.PATH ?? '' });

async function overBridge(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bridgeFile, ...args], env: bridgeEnv() }),
  );
  open.push(client);
  return client;
}
async function overHttp(query: string, headers: Record<string, string> = {}): Promise<Client> {
  const { http } = await core.call('core.status');
  const { token } = await core.call('tokens.create', { name: `test ${open.length}` });
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${http?.url}${query}`), { requestInit }) as never);
  open.push(client);
  return client;
}
const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();
async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = (await client.callTool({ name, arguments: args })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  return { text: result.content[0]?.text ?? '', isError: result.isError === true };
}

describe.each([
  ['the bridge', () => overBridge('--profile', 'work')],
  ['HTTP by its address', () => overHttp('?profile=work')],
  ['HTTP by a header', () => overHttp('', { 'toolkeep-profile': 'work' })],
])('A client with a profile over %s', (_way, connect) => {
  test('lists, searches and runs the tools in the profile, and gets NOT_IN_PROFILE for all others', async () => {
    const client = await connect();
    expect(await names(client)).toHaveLength(5);
    const [search] = (await client.listTools()).tools.filter(({ name }) => name === 'search_tools');
    expect(search?.description).toContain('Servers: work.');
    expect((await call(client, 'list_mcp_servers', {})).text).toMatch(/^work \(6 tools\)/);
    const found = await call(client, 'search_tools', { query: 'echo' });
    expect(found.text).toContain('work/echo');
    expect(found.text).not.toContain('home/');

    const ran = await call(client, 'execute_tool', { server: 'work', tool: 'echo', arguments: { text: 'hi' } });
    expect(ran).toEqual({ text: 'hi', isError: false });
    for (const [name, args] of [
      ['execute_tool', { server: 'home', tool: 'echo', arguments: { text: 'hi' } }],
      ['get_tool_details', { server: 'home', tool: 'echo' }],
      ['list_tools', { server: 'home' }],
      ['search_tools', { query: 'echo', server: 'home' }],
    ] as const) {
      const { text, isError } = await call(client, name, args);
      expect(isError).toBe(true);
      expect(JSON.parse(text).error).toMatchObject({
        code: 'NOT_IN_PROFILE',
        message: expect.stringContaining('profile "work"'),
      });
    }
  });

  test("gets only the prompts and resources of the profile's servers", async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name.split('-')[0])).toEqual(['work']);
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(1);
    await expect(client.getPrompt({ name: prompts[0]?.name.replace('work', 'home') ?? '' })).rejects.toThrow(
      'not in the profile "work"',
    );
  });
});

test('A profile with tags shows only tools with these tags, in its own mode unless the client requests another', async () => {
  const client = await overBridge('--profile', 'plain');
  expect(await names(client)).toEqual(['home-echo', 'work-echo']);
  expect(await call(client, 'home-echo', { text: 'hi' })).toEqual({ text: 'hi', isError: false });
  const refused = await call(client, 'home-pid', {});
  expect(JSON.parse(refused.text).error.code).toBe('NOT_IN_PROFILE');
  const lazy = await overBridge('--profile', 'plain', '--mode', 'lazy');
  expect(await names(lazy)).toHaveLength(5);
  expect((await call(lazy, 'list_mcp_servers', {})).text).toMatch(/\(1 tool\)/);
});

test('A profile with safety levels or categories lists, finds and runs only such tools', async () => {
  const tools = (await core.call('tools.list', { server: 'work' })).filter(({ enabled }) => enabled);
  const levelOf = ({ safetyLevel }: { safetyLevel: string }) => safetyLevel;
  const [inside, outside] = [
    tools.filter((tool) => levelOf(tool) === 'safe'),
    tools.filter((tool) => levelOf(tool) !== 'safe'),
  ];
  expect([inside.length, outside.length].every((length) => length > 0)).toBe(true);
  await save({ name: 'reads', servers: ['work'], safety: ['safe'] });
  const client = await overBridge('--profile', 'reads');
  expect((await call(client, 'list_mcp_servers', {})).text).toContain(`work (${inside.length} tool`);
  for (const { name } of outside) {
    const { text } = await call(client, 'execute_tool', { server: 'work', tool: name, arguments: {} });
    expect(JSON.parse(text).error.code).toBe('NOT_IN_PROFILE');
    expect((await call(client, 'search_tools', { query: name })).text).not.toMatch(new RegExp(`work/${name}\\b`));
  }
  const { category } = tools[0] as (typeof tools)[number];
  await save({ name: 'reads', servers: ['work'], category: [category] });
  const listed = (await call(client, 'list_tools', { server: 'work' })).text;
  for (const tool of tools) expect(listed.includes(`${tool.name}:`)).toBe(tool.category === category);
  await core.call('profiles.remove', { name: 'reads' });
});

test('Two clients with the same name see their own profiles', async () => {
  const [work, home] = [await overHttp('?profile=work&mode=full'), await overHttp('?mode=full')];
  expect((await names(work)).every((name) => name.startsWith('work-'))).toBe(true);
  expect((await names(home)).some((name) => name.startsWith('home-'))).toBe(true);
  const { clients } = await core.call('core.status');
  expect(clients.map(({ profile }) => profile)).toContain('work');
});

test('A change of a profile applies at once, and its clients are notified', async () => {
  await save({ name: 'moving', servers: ['work'], mode: 'full' });
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  const client = await overBridge('--profile', 'moving');
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === 'notifications/tools/list_changed') resolve();
  };
  expect((await names(client)).every((name) => name.startsWith('work-'))).toBe(true);
  await save({ name: 'moving', servers: ['home'], mode: 'full' });
  await heard;
  expect((await names(client)).every((name) => name.startsWith('home-'))).toBe(true);

  await core.call('profiles.remove', { name: 'moving' });
  expect(await names(client)).toEqual([]);
  const gone = await call(client, 'home-echo', { text: 'hi' });
  expect(JSON.parse(gone.text).error.code).toBe('PROFILE_NOT_FOUND');
});

test('A client with an unknown profile gets an error for its first request and sees nothing', async () => {
  const peer = spawnPeer({ command: process.execPath, args: [bridgeFile, '--profile', 'nope'], env: bridgeEnv() });
  const { error } = await peer.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });
  expect(error?.message).toContain('There is no profile "nope". See `toolkeep profiles`.');
  await peer.closed;
  await expect(overHttp('?profile=nope')).rejects.toThrow('There is no profile');
});

test('Profiles are listed with their content, and a profile of the config file is read-only', async () => {
  const list = await core.call('profiles.list');
  expect(list.map(({ name, origin, tools, unknown }) => [name, origin, tools, unknown])).toEqual([
    ['work', 'own', 6, []],
    ['plain', 'own', 2, []],
  ]);
  await expect(core.call('profiles.remove', { name: 'worc' })).rejects.toMatchObject({
    failure: { code: 'PROFILE_NOT_FOUND', hint: 'Did you mean "work"?' },
  });
  await expect(core.call('profiles.save', { profile: { name: '../x', servers: [], tags: [] } })).rejects.toMatchObject({
    failure: { code: 'INPUT_INVALID' },
  });
  rmSync(join(host.dataDir, 'config.json'));
  writeFileSync(join(host.dataDir, 'config.yaml'), 'profiles:\n  office:\n    servers: work\n    mode: hybrid\n');
  await core.call('config.reload');
  const office = (await core.call('profiles.list')).find(({ name }) => name === 'office');
  expect(office).toMatchObject({ origin: 'config', servers: ['work'], mode: 'hybrid', tools: 6 });
  await expect(core.call('profiles.remove', { name: 'office' })).rejects.toMatchObject({
    failure: { code: 'CONFIG_READ_ONLY' },
  });
  writeFileSync(join(host.dataDir, 'config.yaml'), 'profiles:\n  office:\n    server: work\n');
  await core.call('config.reload');
  const { problems } = await core.call('config.validate');
  expect(problems[0]?.message).toContain('did you mean "servers"?');
});
