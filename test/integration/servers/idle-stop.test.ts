/**
 * The times at which servers run, in a whole Core with real processes.
 *
 * @module-tag exhaustive
 */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createCore } from '../../../electron/core/core.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { failureOf, isAlive, messagesIn, numbersIn, textOf } from './server-harness.ts';

const tiny = join(import.meta.dirname, '../../fixtures/tiny.mjs');
const isReady = ({ view }: CoreTrial, server: string) => view(server).status === 'ready';
const toolNames = async (client: { listTools(): Promise<{ tools: { name: string }[] }> }) =>
  (await client.listTools()).tools.map(({ name }) => name);

/** Servers whose process groups are recorded as running. */
function runningGroups(dataDir: string): number {
  const folder = join(dataDir, 'run', 'groups');
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

test('An idle Core with 100 servers has no server process, and the first call starts only its server', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const pids = join(host.homeDir, 'pids');
  // Start each server through a shell, as npm and npx do, so that the server is a grandchild.
  const servers = Array.from({ length: 100 }, (_, index) =>
    serverConfig(`server-${index}`, {
      command: '/bin/sh',
      args: ['-c', `"${process.execPath}" "${tiny}" "${pids}"; exit $?`],
    }),
  );
  host.store.set('servers', servers);
  const first = await createCore(host);
  onTestFinished(first.close);
  await eventually(
    () => (first.handlers['core.status']() as { tools: number }).tools === 100 && runningGroups(host.dataDir) === 0,
    'all were listed and stopped again',
    60_000,
  );
  const started = numbersIn(pids);
  expect(started.length).toBe(100);
  expect(started.filter(isAlive)).toEqual([]);
  await first.close();

  const t = await startCore(servers, { host });
  const client = await t.legacyClient();
  expect((await toolNames(client)).length).toBe(100);
  expect(t.view('server-42')).toMatchObject({ status: 'idle', toolCount: 1, enabledCount: 1 });
  const answer = await client.callTool({ name: 'server-42-pid', arguments: {} });
  const now = numbersIn(pids).slice(100);
  expect(now).toEqual([Number(textOf(answer))]);
  expect(now.filter(isAlive)).toEqual(now);
  expect(runningGroups(host.dataDir)).toBe(1);
}, 120_000);

test('A server that is stopped when idle keeps its tools and starts on use', async () => {
  const t = await startCore([serverConfig('lazy', commands.misbehaving(), { lifecycle: { idleTimeoutMs: 200 } })]);
  await eventually(() => isReady(t, 'lazy'), 'the first start');
  await eventually(() => t.view('lazy').status === 'idle', 'the idle stop');
  const client = await t.legacyClient();
  expect(await toolNames(client)).toContain('lazy-echo');
  expect(t.view('lazy')).toMatchObject({ toolCount: 6, enabledCount: 6 });
  expect(textOf(await t.call('lazy', 'echo', { text: 'awake' }))).toBe('awake');
});

test('A crashed server keeps its tools listed and restarts on the next call', async () => {
  const t = await startCore([serverConfig('fragile', commands.misbehaving())]);
  const client = await t.legacyClient();
  const isListed = async () => (await toolNames(client)).includes('fragile-echo');
  await eventually(isListed, 'the first list');
  process.kill(t.view('fragile').pid as number, 'SIGKILL');
  await eventually(() => t.view('fragile').status === 'failed', 'the loss');
  expect(t.view('fragile').failure).toMatchObject({ code: 'SERVER_CRASHED' });
  expect(await isListed()).toBe(true);
  expect(textOf(await t.call('fragile', 'echo', { text: 'back' }))).toBe('back');
  await eventually(() => t.view('fragile').status === 'ready', 'the end of the discovery');
});

test('Tools are not offered while their server cannot start, is disabled or removed, and clients are notified', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const script = join(host.homeDir, 'leaves.mjs');
  const { command, args } = commands.misbehaving();
  const start = `process.argv.splice(1, 1);\nawait import(${JSON.stringify(args[0])});\n`;
  writeFileSync(script, start);
  const t = await startCore(
    [
      serverConfig('stays', commands.misbehaving()),
      serverConfig('leaves', { command, args: [script, args[0] as string, 'normal'] }),
    ],
    { host },
  );
  const client = await t.legacyClient();
  let told = 0;
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === 'notifications/tools/list_changed') told += 1;
  };
  const offered = async (name = 'leaves-echo') => (await toolNames(client)).includes(name);
  await eventually(async () => (await offered()) && (await offered('stays-echo')), 'both are listed');

  const before = told;
  writeFileSync(script, 'process.exit(3);');
  process.kill(t.view('leaves').pid as number, 'SIGKILL');
  await eventually(() => t.view('leaves').status === 'failed', 'the crash');
  expect(await failureOf(t.call('leaves', 'echo'))).toMatchObject({ code: 'SERVER_CRASHED' });
  await eventually(async () => !(await offered()), 'the loss of the killed one');
  expect(t.view('leaves')).toMatchObject({ status: 'failed', failure: { code: 'SERVER_CRASHED' } });
  await eventually(() => told > before, 'the word to the client');
  expect(await toolNames(client)).toContain('stays-echo');

  writeFileSync(script, start);
  await t.core.handlers['servers.restart']({ server: 'leaves' });
  await eventually(offered, 'its return');
  await t.core.handlers['servers.setEnabled']({ server: 'leaves', enabled: false });
  expect(await offered()).toBe(false);
  await t.core.handlers['servers.setEnabled']({ server: 'leaves', enabled: true });
  await eventually(offered, 'its return after it was enabled');
  await t.core.handlers['servers.remove']({ server: 'leaves' });
  expect(await offered()).toBe(false);
  expect(await failureOf(t.call('leaves', 'echo'))).toMatchObject({ code: 'SERVER_NOT_FOUND' });
});

test('Nothing starts a disabled server', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const pids = join(host.homeDir, 'pids');
  const off = serverConfig('off', commands.misbehaving('normal', `pids=${pids}`), { enabled: false });
  const t = await startCore([off], { host });
  await t.core.handlers['servers.save']({ server: { ...off, description: 'changed' } });
  expect(await t.core.handlers['servers.restart']({ server: 'off' })).toMatchObject({ status: 'disabled' });
  expect(await failureOf(t.call('off', 'echo'))).toMatchObject({ code: 'SERVER_DISABLED' });
  expect(numbersIn(pids)).toEqual([]);
});

test('A check for changes neither keeps a server running nor starts a stopped server', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const log = join(host.homeDir, 'log');
  const t = await startCore(
    [serverConfig('seen', commands.misbehaving('normal', `log=${log}`), { lifecycle: { idleTimeoutMs: 600 } })],
    { host, config: { refreshInterval: '100ms' } },
  );
  const looks = () => messagesIn(log).filter(({ method }) => method === 'tools/list').length;
  await eventually(() => looks() > 3, 'looks for changes while it runs');
  await eventually(() => t.view('seen').status === 'idle', 'the idle stop');
  const before = looks();
  await sleep(500);
  expect(looks()).toBe(before);
  expect(t.view('seen').status).toBe('idle');
});

test('A flood of list_changed causes few discoveries, and a change during it is detected', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const log = join(host.homeDir, 'log');
  const t = await startCore(
    [
      // The server sends 500 notifications after every list, so each list causes the next one.
      serverConfig('storm', commands.misbehaving('storm', `log=${log}`)),
      serverConfig('changing', commands.misbehaving('storm,changing')),
    ],
    { host },
  );
  await eventually(() => t.view('changing').toolCount > 8, 'new tools of the one that changes');
  await sleep(1_500);
  const looks = messagesIn(log).filter(({ method }) => method === 'tools/list').length;
  expect(looks).toBeGreaterThan(1);
  // The delay starts at 150 ms and doubles each time; with a constant 150 ms there would be more.
  expect(looks).toBeLessThan(8);
  expect(textOf(await t.call('storm', 'echo', { text: 'calm' }))).toBe('calm');
});

test('A changed configuration starts the new process only after the old one has ended, and affects no other server', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const pids = join(host.homeDir, 'pids');
  const config = (...more: string[]) =>
    serverConfig('changed', commands.misbehaving('ignore-sigterm', `pids=${pids}`, ...more), {
      lifecycle: { keepAlive: true },
    });
  const t = await startCore([config(), serverConfig('other', commands.misbehaving())], { host });
  await eventually(() => isReady(t, 'changed') && isReady(t, 'other'), 'both are ready');
  const [old] = numbersIn(pids);
  const other = t.view('other').pid;
  await t.core.handlers['servers.save']({ server: config('extra=1') });
  await eventually(() => numbersIn(pids).length === 2, 'the new process', 20_000);
  expect(isAlive(old as number)).toBe(false);
  await eventually(() => isReady(t, 'changed'), 'the new one is ready');
  expect(t.view('other').pid).toBe(other);
}, 40_000);

test('The number of concurrent server starts stays within the limit', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  host.store.set(
    'servers',
    Array.from({ length: 10 }, (_, index) =>
      serverConfig(`s${index}`, commands.misbehaving('slow-start', 'delay=150')),
    ),
  );
  const t = await startCore([...host.store.get('servers')], { host, config: { lifecycle: { concurrentStarts: 2 } } });
  let most = 0;
  const firstSeen = new Map<string, number>();
  const starting = () => {
    const views = t.core.handlers['servers.list']() as { id: string; status: string }[];
    const names = views.filter(({ status }) => status === 'starting').map(({ id }) => id);
    for (const name of names) if (!firstSeen.has(name)) firstSeen.set(name, performance.now());
    // A start that takes longer, as on a busy machine, gives its slot to the next server.
    most = Math.max(most, names.filter((name) => performance.now() - (firstSeen.get(name) ?? 0) < 1_000).length);
    return views.every(({ status }) => status === 'ready' || status === 'idle');
  };
  await eventually(() => starting() && (t.core.handlers['core.status']() as { tools: number }).tools === 60, 'all');
  expect(most).toBe(2);
});

test('A keep-alive server that fails to start is retried until it starts', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const gate = join(host.homeDir, 'gate');
  const command = { command: '/bin/sh', args: ['-c', `test -f "${gate}" && exec "${process.execPath}" "${tiny}"`] };
  const t = await startCore([serverConfig('late', command, { lifecycle: { keepAlive: true } })], { host });
  await eventually(() => t.view('late').status === 'failed', 'the first failure');
  writeFileSync(gate, '');
  await eventually(() => isReady(t, 'late'), 'the start after its obstacle is gone', 90_000);
}, 100_000);
