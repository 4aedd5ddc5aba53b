/** A server with several instances, through the whole product: configuration, clients of both eras, status. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { statusText } from '../../../electron/cli/text/status.ts';
import { loadUserConfig } from '../../../electron/core/config/load.ts';
import { isAlive } from '../../../electron/core/files/process-alive.ts';
import { erasOf } from '../../../electron/core/servers/lifecycle/eras.ts';
import { limits } from '../../../shared/limits.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';
import { textOf } from './server-harness.ts';

const plain = (text: string) => text;
const style = { good: plain, bad: plain, warn: plain, dim: plain, bold: plain };

test('Three instances of a server share one list of tools, serve one client each, and appear in the status', async () => {
  const config = { servers: { worker: { ...commands.misbehaving(), instances: 3 } } };
  const { core, view, call, legacyClient, modernClient } = await startCore([], { config });
  await expect.poll(() => view('worker').toolCount).toBe(6);
  const [old, modern] = await Promise.all([legacyClient(), modernClient()]);
  const ofClient = async (client: typeof old | typeof modern) =>
    textOf(await client.callTool({ name: 'worker-pid', arguments: {} }));
  const ofPerson = async () => textOf(await call('worker', 'pid'));
  const rounds = await Promise.all([1, 2, 3].map(() => Promise.all([ofClient(old), ofClient(modern), ofPerson()])));
  expect(new Set(rounds[0]).size).toBe(3);
  expect(rounds).toEqual(Array(3).fill(rounds[0]));
  expect((await old.listTools()).tools.map(({ name }) => name)).toContain('worker-pid');
  expect((await old.listTools()).tools).toHaveLength(6);

  const { instances = [], calls } = view('worker');
  expect(new Set(instances.map(({ pid }) => String(pid)))).toEqual(new Set(rounds[0]));
  expect(instances.map((instance) => instance.calls)).toEqual(Array(3).fill({ active: 0, total: 3, failed: 0 }));
  expect(calls.total).toBe(9);
  const status = await core.handlers['core.status']();
  const text = statusText(
    { running: true, status, servers: (await core.handlers['servers.list']()) as ServerView[], now: Date.now() },
    style,
  );
  for (const [index, { pid }] of instances.entries())
    expect(text).toMatch(
      new RegExp(`^  Instance ${index + 1}: ready, pid ${pid}, up \\d+ s, 3 calls, 0 active, 0 failed$`, 'm'),
    );
});

test('A call of a read-only tool survives the exit of its instance; other calls fail with the cause', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const file = join(host.homeDir, 'tools.json');
  const schema = { type: 'object', properties: { ms: { type: 'number' } } };
  writeFileSync(file, JSON.stringify([{ name: 'sleep', inputSchema: schema, annotations: { readOnlyHint: true } }]));
  const config = { servers: { worker: { ...commands.misbehaving('normal', `tools-file=${file}`), instances: 2 } } };
  const { core, view, call } = await startCore([], { config, host });
  await expect.poll(() => view('worker').toolCount).toBe(1);
  const active = () => view('worker').instances?.find(({ calls }) => calls.active > 0);
  const kill = async () => {
    await expect.poll(() => active()?.status).toBe('ready');
    process.kill(active()?.pid as number, 'SIGKILL');
  };
  const read = call('worker', 'sleep', { ms: 700 });
  await kill();
  expect((await read).content).toBeDefined();

  writeFileSync(file, JSON.stringify([{ name: 'sleep', inputSchema: schema, annotations: { readOnlyHint: false } }]));
  await core.handlers['servers.restart']({ server: 'worker' });
  await core.handlers['tools.accept']({ server: 'worker', tool: 'sleep' });
  const changing = call('worker', 'sleep', { ms: 700 });
  changing.catch(() => {});
  await kill();
  await expect(changing).rejects.toMatchObject({
    failure: { code: 'SERVER_CRASHED', message: expect.stringMatching(/It was instance [12] of 2\./) },
  });
});

test('Errors in the configuration of instances are reported with key and line', async () => {
  const host = testHost();
  onTestFinished(host.dispose);

  const problemsOf = async (yaml: string) => {
    writeFileSync(join(host.dataDir, 'config.yaml'), yaml);
    const { problems } = await loadUserConfig(host);
    return problems.map(({ path, line, message }) => [path, line, message.split(/: | \(/)[1]]);
  };
  expect(
    await problemsOf(`servers:
  none: { command: node, instances: 0 }
  many: { command: node, instances: 17 }
  odd:
    command: node
    instances: 2
    lifecycle: { affinity: evenly }
`),
  ).toEqual([
    ['servers.none.instances', 2, 'must be at least 1, not 0'],
    ['servers.many.instances', 3, 'must be at most 16, not 17'],
    ['servers.odd.lifecycle.affinity', 7, 'must be "session" or "none", not "evenly"'],
  ]);
  expect(
    await problemsOf(`servers:
  twice:
    url: https://a.example/mcp
    replicas:
      - https://b.example/mcp
      - https://a.example/mcp
`),
  ).toEqual([['servers.twice.replicas[1]', 6, 'is already a URL of this server']]);
});

test.each([
  ['that is configured so', [], { instances: 'per-client' }],
  ['whose tools act on a page', ['click', 'type_text', 'navigate'], {}],
])('A server %s has a process for each client, which ends with its client', async (_which, names, more) => {
  const host = testHost();
  onTestFinished(host.dispose);
  const file = join(host.homeDir, 'tools.json');
  const tools = ['pid', ...names].map((name) => ({ name, description: 'Gets it.', inputSchema: { type: 'object' } }));
  writeFileSync(file, JSON.stringify(tools));
  const pids = join(host.homeDir, 'pids');
  const command = commands.misbehaving('normal', `tools-file=${file}`, `pids=${pids}`);
  const config = { servers: { browser: { ...command, ...more } }, toolRules: [{ pattern: 'pid', confirm: 'never' }] };
  const { view, call, legacyClient, modernClient } = await startCore([], { config, host });
  await expect.poll(() => view('browser').toolCount).toBe(tools.length);
  expect(view('browser').isPerClient).toBe(true);
  const [one, two] = await Promise.all([legacyClient(), modernClient()]);
  const pidOf = async (client: typeof one | typeof two) =>
    Number(textOf(await client.callTool({ name: 'browser-pid', arguments: {} })));
  const [ofOne, ofTwo] = await Promise.all([pidOf(one), pidOf(two)]);
  const ofUser = Number(textOf(await call('browser', 'pid')));
  expect(new Set([ofOne, ofTwo, ofUser]).size).toBe(3);
  expect([await pidOf(one), await pidOf(two)]).toEqual([ofOne, ofTwo]);
  // The first client got the process that was started for the list of tools.
  expect(readFileSync(pids, 'utf8').trim().split('\n')).toHaveLength(3);
  await one.close();
  await expect.poll(() => isAlive(ofOne)).toBe(false);
  expect(await pidOf(two)).toBe(ofTwo);
});

test('A client gets no process by ending that of another client', async () => {
  const { processes } = limits.server;
  onTestFinished(() => {
    limits.server.processes = processes;
  });
  limits.server.processes = 2;
  const config = { servers: { browser: { ...commands.misbehaving(), instances: 'per-client' } } };
  const { core, view, legacyClient } = await startCore([], { config });
  await expect.poll(() => view('browser').toolCount).toBeGreaterThan(0);
  const clients = await Promise.all([legacyClient(), legacyClient(), legacyClient()]);
  const [one, two, three] = clients.map((client) => async () => {
    const result = await client.callTool({ name: 'browser-pid', arguments: {} });
    return textOf(result);
  }) as [() => Promise<string>, () => Promise<string>, () => Promise<string>];
  const pids = [await one(), await two()];
  for (let count = 0; count < 4; count += 1) expect(await three()).toContain('SERVER_FULL');
  expect([await one(), await two()]).toEqual(pids);
  await clients[1]?.close();
  await expect.poll(three).toMatch(/^\d+$/);
  expect(await one()).toBe(pids[0]);
  expect(await core.handlers['servers.list']()).toMatchObject([{ status: 'ready' }]);
});

test('A server with one instance for all clients keeps it although its tools act on a page', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const file = join(host.homeDir, 'tools.json');
  const names = ['pid', 'click', 'type_text', 'navigate'];
  writeFileSync(file, JSON.stringify(names.map((name) => ({ name, inputSchema: { type: 'object' } }))));
  const servers = { browser: { ...commands.misbehaving('normal', `tools-file=${file}`), instances: 1 } };
  const { view, legacyClient } = await startCore([], {
    config: { servers, toolRules: [{ pattern: 'pid', confirm: 'never' }] },
    host,
  });
  await expect.poll(() => view('browser').toolCount).toBe(4);
  const clients = await Promise.all([legacyClient(), legacyClient()]);
  const pids = await Promise.all(
    clients.map(async (client) => textOf(await client.callTool({ name: 'browser-pid', arguments: {} }))),
  );
  expect(new Set(pids).size).toBe(1);
});

test('The first call of a client meets a server that uses its roots', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const folders = ['first', 'second', 'third', 'fourth'].map((name) => join(host.homeDir, name));
  for (const folder of folders) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'note.txt'), folder);
  }
  const [configured = '', ...opened] = folders;
  const { view, legacyClient } = await startCore([serverConfig('files', commands.filesystem(configured))], { host });
  await expect.poll(() => view('files').toolCount).toBeGreaterThan(10);
  await expect.poll(() => erasOf(host.store).get('files')?.usesRoots).toBe(true);
  for (const folder of opened) {
    const client = await legacyClient({ roots: {} });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
    const path = join(folder, 'note.txt');
    const read = await client.callTool({ name: 'files-read_text_file', arguments: { path } });
    expect(textOf(read)).toBe(folder);
  }
});
