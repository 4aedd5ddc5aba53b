/**
 * The examples of the registration flow and of unified discovery, in one served product with HTTP and stdio servers.
 *
 * @module-tag exhaustive
 */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { type HttpFixture, startHttpFixture } from '../../fixtures/http-server.ts';
import { newProduct } from '../product.ts';
import { example } from './example.ts';
import { type Agent, attachUser, connect, program } from './stage.ts';

const product = newProduct();
let http: HttpFixture;
let core: CoreClient;
let full: Agent;
let token = '';
let statusToken = '';
let origin = '';

const json = async (...args: string[]) => JSON.parse((await product.cli(...args, '--json')).stdout);
const stateOf = async (name: string) => (await core.call('servers.list')).find(({ id }) => id === name);
const folder = () => join(product.home, 'notes');

const location = { transport_type: 'local', command: 'locate', args: ['{LOCATION_MODE}', 'locate-it'] };

function config(more: Record<string, unknown> = {}, rest: object = {}) {
  return {
    servers: {
      weather_server: { transport_type: 'stdio', server_path: '/srv/weather.py' },
      location_server: location,
      'library-docs': {
        server_slug: 'context7',
        transport_type: 'http_stream',
        http_endpoint: '{HUB}/auth',
        headers: { Authorization: 'Bearer {API_TOKEN}' },
        timeout: 30,
        sse_read_timeout: 300,
      },
      locked: {
        transport_type: 'http_stream',
        http_endpoint: '{HUB}/legacy?locked',
        headers: { Authorization: '{UNSET_TOKEN}' },
      },
      'filesystem-john-abc123': commands.filesystem(folder()),
      library: commands.library(),
      outside: commands.misbehaving('normal', `resources-file=${join(product.home, 'resources.json')}`),
      gone: { url: 'http://127.0.0.1:9/mcp' },
      malformed: commands.misbehaving('bad-tools'),
      none: commands.misbehaving('normal', `tools-file=${join(product.home, 'none.json')}`),
      ...more,
    },
    approvals: { ask: 'dangerous' },
    ...rest,
  };
}
const configure = (...args: Parameters<typeof config>) => product.file('.toolkeep/config.json', config(...args));

beforeAll(async () => {
  http = await startHttpFixture();
  Object.assign(product.env, { API_TOKEN: 'good', HUB: http.origin, LOCATION_MODE: 'fast' });
  program(product, 'python', { 'weather.py': commands.misbehaving('normal') });
  const { command, args } = commands.misbehaving('normal');
  product.file(
    'bin/locate',
    `#!/bin/sh\necho "$*" > '${join(product.home, 'located')}'\nexec '${command}' ${args.map((one) => `'${one}'`).join(' ')}\n`,
  );
  chmodSync(join(product.home, 'bin/locate'), 0o755);
  product.file('notes/test.txt', 'a note');
  product.file('none.json', []);
  const uri = (path: string) => pathToFileURL(path).href;
  product.file('resources.json', {
    resources: [
      { uri: uri(join(folder(), 'test.txt')), name: 'inside' },
      { uri: uri('/etc/hostname'), name: 'outside' },
    ],
    resourceTemplates: [],
  });
  configure();
  await product.serve();
  core = await attachUser(product, ({ approval }) => (approval ? { action: 'accept', scope: 'session' } : undefined));
  const settled = [
    'weather_server',
    'location_server',
    'library-docs',
    'filesystem-john-abc123',
    'library',
    'malformed',
  ];
  await vi.waitFor(
    async () => {
      const views = await core.call('servers.list');
      for (const name of settled) expect(views.find(({ id }) => id === name)?.toolCount, name).toBeGreaterThan(0);
      for (const name of ['locked', 'gone']) expect(views.find(({ id }) => id === name)?.failure, name).toBeDefined();
    },
    { timeout: 40_000, interval: 200 },
  );
  full = await connect(product, '--mode', 'full');
  token = (await core.call('tokens.create', { name: 'curl' })).token;
  statusToken = (await core.call('tokens.create', { name: 'status', kind: 'status' })).token;
  origin = new URL((await core.call('core.status')).http?.url ?? '').origin;
}, 60_000);
afterAll(async () => {
  await full?.client.close();
  await product.dispose();
  await http?.close();
});

/** One request with the headers that `curl` sends. */
async function post(method: string, params: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: '*/*' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method, params });
  const response = await fetch(`${origin}/mcp?mode=full`, { method: 'POST', headers, body });
  const text = await response.text();
  const messages = text.startsWith('{')
    ? [text]
    : text.split('\n').flatMap((line) => (line.startsWith('data: {') ? line.slice(6) : []));
  return messages.map((message) => JSON.parse(message)).find(({ id }) => id === 2)?.result;
}
const called = async (name: string, args: object) =>
  (await post('tools/call', { name, arguments: args })).content[0].text;

example('flow/placeholder', async () => {
  const sent = http.requests.filter(({ path }) => path === '/auth').map(({ headers }) => headers.authorization);
  expect(new Set(sent)).toEqual(new Set(['Bearer good']));
});

example('flow/unresolved', async () => {
  expect((await stateOf('locked'))?.failure).toMatchObject({
    code: 'SECRET_MISSING',
    message: expect.stringContaining('UNSET_TOKEN'),
  });
  expect(http.requests.filter(({ path }) => path.includes('locked'))).toEqual([]);
});

example('flow/required', async () => {
  for (const [type, missing] of [
    ['stdio', 'servers.wrong.server_path: must be a string, but is missing'],
    ['http_stream', 'servers.wrong.http_endpoint: must be a string, but is missing'],
    ['local', 'servers.wrong.command: must be a string, but is missing'],
  ] as const) {
    configure({ wrong: { transport_type: type } });
    const { code, stdout } = await product.cli('config', 'validate');
    expect(code).toBe(2);
    expect(stdout).toContain(missing);
  }
  configure();
  expect((await product.cli('config', 'reload')).code).toBe(0);
});

example('flow/stdio', async () => {
  expect(await full.ask('weather_server-echo', { text: 'sunny' })).toBe('sunny');
});

example('flow/local', async () => {
  expect(readFileSync(join(product.home, 'located'), 'utf8')).toBe('fast locate-it\n');
  expect(await full.ask('location_server-echo', { text: 'here' })).toBe('here');
});

example('flow/http', async () => {
  expect(await stateOf('library-docs')).toMatchObject({
    transport: 'http',
    status: expect.stringMatching(/ready|idle/),
  });
  expect(await full.ask('context7-text')).toContain('plain');
});

example('flow/names', async () => {
  const { tools } = await full.client.listTools();
  const echo = tools.find(({ name }) => name === 'weather_server-echo');
  expect(echo?.title ?? echo?.annotations?.title).toBe('echo');
  expect(echo?._meta?.['toolkeep/timeoutMs']).toBe(60_000);
  const { prompts } = await full.client.listPrompts();
  expect(prompts.map(({ name }) => name)).toContain('weather_server-greet');
  const { resources } = await full.client.listResources();
  expect(resources.map(({ name }) => name)).toContain('weather_server-one');
});

example('flow/roots', async () => {
  const client = new Client({ name: 'with-roots', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(folder()).href }] }));
  await client.connect(new StdioClientTransport(product.bridge('--mode', 'full')));
  const names = (await client.listResources()).resources.map(({ name }) => name);
  await client.close();
  expect(names).toContain('outside-inside');
  expect(names).not.toContain('outside-outside');
  const log = readFileSync(join(product.home, '.toolkeep/logs/toolkeep.log'), 'utf8');
  expect(log).toMatch(/"outside" offers "file:.*which is outside the folders/);
});

example('flow/route', async () => {
  const [weather, location] = await Promise.all([full.ask('weather_server-pid'), full.ask('location_server-pid')]);
  expect(Number(weather)).toBeGreaterThan(0);
  expect(weather).not.toBe(location);
});

example('unified/http_name', async () => {
  const { tools } = await post('tools/list', {});
  expect(tools.map(({ name }: { name: string }) => name)).toContain('context7-text');
});

example('unified/slug', async () => {
  expect((await stateOf('filesystem-john-abc123'))?.slug).toBe('filesystem');
  const { tools } = await full.client.listTools();
  expect(tools.map(({ name }) => name)).toContain('filesystem-read_file');
});

example('unified/list', async () => {
  const names: string[] = (await post('tools/list', {})).tools.map(({ name }: { name: string }) => name);
  for (const name of ['context7-text', 'filesystem-read_file', 'weather_server-echo']) expect(names).toContain(name);
});

example('unified/call_http', async () => {
  expect(await called('context7-text', {})).toContain('plain');
});

example('unified/call_stdio', async () => {
  expect(await called('filesystem-read_file', { path: join(folder(), 'test.txt') })).toBe('a note');
});

const debug = () => fetch(`${origin}/api/status/debug`, { headers: { authorization: `Bearer ${statusToken}` } });

example('unified/debug', async () => {
  const { transports } = JSON.parse(await (await debug()).text());
  const { stdio, http: remote } = transports;
  const nameOf = ({ name }: { name: string }) => name;
  expect(remote.servers.map(nameOf)).toEqual(expect.arrayContaining(['library-docs', 'gone', 'locked']));
  expect(remote.discovery.completed).toBeGreaterThan(0);
  const weather = stdio.servers.find((one: { name: string }) => one.name === 'weather_server');
  expect(weather.process.pid).toBeGreaterThan(0);
  expect(weather.tools.map(nameOf)).toContain('echo');
  expect((await fetch(`${origin}/api/status/debug`)).status).toBe(401);
});

async function renamed(slug: string): Promise<void> {
  const names = async () => (await full.client.listTools()).tools.map(({ name }) => name);
  await expect.poll(names).toContain(`${slug}-echo`);
  expect(await full.ask(`${slug}-echo`, { text: 'here' })).toBe('here');
}

example('unified/differential', async () => {
  const before = await full.ask('weather_server-pid');
  configure({ added: commands.misbehaving('normal'), location_server: { ...location, server_slug: 'places' } });
  await product.cli('config', 'reload');
  expect(await stateOf('added')).toBeDefined();
  await renamed('places');
  expect(await full.ask('weather_server-pid')).toBe(before);
  configure();
  await product.cli('config', 'reload');
  expect(await stateOf('added')).toBeUndefined();
  await renamed('location_server');
  expect(await full.ask('weather_server-pid')).toBe(before);
});

example('unified/unreachable', async () => {
  expect((await stateOf('gone'))?.failure?.code).toBe('SERVER_UNREACHABLE');
  expect(await full.ask('weather_server-echo', { text: 'works' })).toBe('works');
});

example('unified/malformed', async () => {
  const { tools } = await json('tools', 'malformed');
  expect(tools.map(({ name }: { name: string }) => name)).toContain('echo');
  expect((await stateOf('malformed'))?.warnings.join('\n')).toContain('was skipped');
});

example('unified/empty', async () => {
  const none = await stateOf('none');
  expect([none?.toolCount, none?.failure]).toEqual([0, undefined]);
  const agent = await connect(product);
  expect(await agent.ask('list_tools', { server: 'none' })).toMatch(/^This server has no tools\./);
  await agent.client.close();
});

example('unified/restart', async () => {
  const before = Number(await full.ask('location_server-pid'));
  process.kill(before, 'SIGKILL');
  await expect.poll(async () => (await stateOf('location_server'))?.pid).not.toBe(before);
  expect((await full.client.listTools()).tools.map(({ name }) => name)).toContain('location_server-pid');
  expect(Number(await full.ask('location_server-pid'))).not.toBe(before);
});

example('unified/debug_off', async () => {
  configure({}, { status: { detail: false } });
  expect((await product.cli('config', 'reload')).code).toBe(0);
  expect([403, 404]).toContain((await debug()).status);
});
