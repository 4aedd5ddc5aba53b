/** The lifecycle of a server: start, sharing, idle stop, crash, restart. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toolTimeoutMs } from '../../../electron/core/config/schema.ts';
import { resolveConnection } from '../../../electron/core/secrets/resolve.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { failureOf, isAlive, numbersIn, textOf, tryServer } from './server-harness.ts';

test('A server does not start before its first use', async () => {
  const { handle, states } = tryServer(commands.misbehaving());
  expect(handle.state).toMatchObject({ status: 'idle', restarts: 0, breaker: 'closed' });
  expect(states).toEqual([]);
});

test('Concurrent callers share one start', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const { handle, call } = tryServer(commands.misbehaving('normal', `pids=${pids}`), { host });
  const answers = await Promise.all([handle.start(), handle.start(), call('pid'), call('pid')]);
  expect(answers[0]).toBe(answers[1]);
  expect(numbersIn(pids)).toEqual([handle.state.pid]);
});

test('A caller that cancels does not end the start for other callers', async () => {
  const { handle } = tryServer(commands.misbehaving('slow-start', 'delay=300'));
  const controller = new AbortController();
  const impatient = handle.start(controller.signal);
  const patient = handle.start();
  controller.abort();
  expect(await failureOf(impatient)).toMatchObject({ code: 'CANCELLED' });
  expect((await patient).serverInfo?.name).toBe('misbehaving');
});

test('A server reports its states in order, with pid and era once it is ready', async () => {
  const { handle, states } = tryServer(commands.misbehaving());
  await handle.start();
  const seen = states.map((state) => (state.status === 'starting' ? state.phase : state.status));
  expect([...new Set(seen)]).toEqual(['configuration', 'transport', 'session', 'ready']);
  expect(handle.state).toMatchObject({ status: 'ready', era: 'legacy' });
  expect(isAlive(handle.state.pid as number)).toBe(true);
  expect(handle.state).not.toHaveProperty('phase');
});

test('An idle server stops without a failure and starts again on the next call', async () => {
  const { handle, call } = tryServer(commands.misbehaving(), { idleTimeoutMs: 100 });
  const first = Number(textOf(await call('pid')));
  await eventually(() => handle.state.status === 'idle', 'the idle stop');
  expect(isAlive(first)).toBe(false);
  expect(handle.state).not.toHaveProperty('failure');
  expect(handle.state).not.toHaveProperty('pid');
  const second = Number(textOf(await call('pid')));
  expect(second).not.toBe(first);
  expect(handle.state).toMatchObject({ status: 'ready', restarts: 1 });
});

test('A server with a running call does not stop as idle', async () => {
  const { call } = tryServer(commands.misbehaving(), { idleTimeoutMs: 50 });
  expect(textOf(await call('sleep', { ms: 400 }))).toBe('slept');
});

test('An idle timeout of 0 and keep-alive both keep a server running', async () => {
  const forever = tryServer(commands.misbehaving(), { idleTimeoutMs: 0 });
  const kept = tryServer(commands.misbehaving(), { idleTimeoutMs: 1, server: { lifecycle: { keepAlive: true } } });
  const idle = tryServer(commands.misbehaving(), { idleTimeoutMs: 1 });
  await Promise.all([forever, kept, idle].map(({ handle }) => handle.start()));
  await eventually(() => idle.handle.state.status === 'idle', 'the idle stop of the third');
  expect(forever.handle.state.status).toBe('ready');
  expect(kept.handle.state.status).toBe('ready');
});

test('A crashed server restarts on the next call', async () => {
  const { handle, call } = tryServer(commands.misbehaving());
  expect(await failureOf(call('exit', { code: 5 }))).toMatchObject({ code: 'SERVER_CRASHED' });
  expect(handle.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_CRASHED' } });
  expect(textOf(await call('echo', { text: 'again' }))).toBe('again');
  expect(handle.state).toMatchObject({ status: 'ready', restarts: 1 });
  expect(handle.state).not.toHaveProperty('failure');
});

test('A keep-alive server restarts automatically after a crash', async () => {
  const { handle, call } = tryServer(commands.misbehaving(), { server: { lifecycle: { keepAlive: true } } });
  const first = Number(textOf(await call('pid')));
  process.kill(first, 'SIGKILL');
  await eventually(() => handle.state.status === 'ready' && handle.state.pid !== first, 'the restart');
});

test('A keep-alive server that no longer answers is replaced', async () => {
  const { handle, call } = tryServer(commands.misbehaving(), {
    server: { lifecycle: { keepAlive: true } },
    tuning: { healthIntervalMs: 200 },
  });
  const first = Number(textOf(await call('pid')));
  process.kill(first, 'SIGSTOP');
  await eventually(() => handle.state.status === 'ready' && handle.state.pid !== first, 'the replacement');
  expect(isAlive(first)).toBe(false);
});

test('A crash loop ends in a state that only the user can end', async () => {
  const { handle, states } = tryServer(commands.misbehaving('crash-loop', 'delay=300'), {
    server: { lifecycle: { keepAlive: true } },
    tuning: { crashLimit: 3 },
  });
  await handle.start();
  await eventually(() => handle.state.failure?.message.includes('3 times'), 'the end of the loop');
  const starts = states.filter((state) => state.status === 'starting' && state.phase === 'configuration').length;
  expect(await failureOf(handle.start())).toMatchObject({
    code: 'SERVER_CRASHED',
    hint: expect.stringContaining('restart'),
  });
  expect(states.filter((state) => state.status === 'starting' && state.phase === 'configuration').length).toBe(starts);
  await handle.stop();
  expect(handle.state.status).toBe('idle');
  expect((await handle.start()).era).toBe('legacy');
});

test('A server is not started again after two failed starts, and callers fail at once with the cause', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const { handle } = tryServer(commands.misbehaving('crash-at-initialize', `pids=${pids}`), { host });
  expect((await failureOf(handle.start())).code).toBe('SERVER_CRASHED');
  expect(handle.state.breaker).toBe('closed');
  expect((await failureOf(handle.start())).code).toBe('SERVER_CRASHED');
  expect(handle.state.breaker).toBe('open');
  const third = await failureOf(handle.start());
  expect(third.code).toBe('SERVER_BREAKER_OPEN');
  expect(third.message).toContain('broken on purpose at initialize');
  expect(handle.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_CRASHED' } });
  expect(numbersIn(pids).length).toBe(2);
});

test('The failure of a server that is paused says only when it can start again, not that the next call starts it', async () => {
  const { handle } = tryServer({ ...commands.misbehaving('crash-at-start'), command: 'node' });
  for (const _start of [1, 2])
    expect(await failureOf(handle.start())).toMatchObject({ hint: expect.stringContaining('The next call starts it') });
  const { code, message, hint } = await failureOf(handle.start());
  expect({ code, hint }).toEqual({ code: 'SERVER_BREAKER_OPEN', hint: undefined });
  expect(message).toMatch(/the next attempt is possible in \d+ s\. Cause: /);
});

test('The breaker lets one attempt through after its delay, and closes if the user stops the server', async () => {
  const { handle } = tryServer(commands.misbehaving('crash-at-start'), { tuning: { breakerOpenMs: 500 } });
  await failureOf(handle.start());
  await failureOf(handle.start());
  await eventually(() => handle.state.breaker === 'half-open', 'the half-open breaker');
  expect((await failureOf(handle.start())).code).toBe('SERVER_CRASHED');
  expect((await failureOf(handle.start())).code).toBe('SERVER_BREAKER_OPEN');
  await handle.stop();
  expect(handle.state.breaker).toBe('closed');
  expect((await failureOf(handle.start())).code).toBe('SERVER_CRASHED');
});

test('A missing value does not open the breaker: once it is set, the next use works', async () => {
  const env: Record<string, string> = {};
  const command = { ...commands.misbehaving(), env: { TOKEN: '${THE_TOKEN}' } };
  const { handle } = tryServer(command, {
    resolve: (connection) => resolveConnection(connection, { env, homeDir: '/' }),
  });
  for (const _ of [1, 2, 3]) expect((await failureOf(handle.start())).code).toBe('SECRET_MISSING');
  env.THE_TOKEN = 'set';
  expect((await handle.start()).era).toBe('legacy');
});

test('A stop during the start cancels the start and leaves no process behind', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const { handle } = tryServer(commands.misbehaving('hang-at-initialize', `pids=${pids}`), { host });
  const starting = failureOf(handle.start());
  const pid = await eventually(() => numbersIn(pids)[0], 'the process');
  await handle.stop();
  expect(await starting).toMatchObject({ code: 'CANCELLED' });
  expect(isAlive(pid)).toBe(false);
  expect(handle.state).toMatchObject({ status: 'idle', breaker: 'closed' });
});

test('A stop ends running calls with a clear error', async () => {
  const { handle, call } = tryServer(commands.misbehaving());
  await handle.start();
  const running = failureOf(call('sleep', { ms: 60_000 }));
  await handle.stop();
  expect(await running).toMatchObject({ code: 'CANCELLED' });
});

test('The timeout of a call is one minute or MCP_TOOL_TIMEOUT, and at least five seconds', () => {
  const limits = [undefined, '', 'soon', '0', '90000', '1'].map((value) => toolTimeoutMs({ MCP_TOOL_TIMEOUT: value }));
  expect(limits).toEqual([60_000, 60_000, 60_000, 60_000, 90_000, 5_000]);
});

test('A notification goes only to a running server and does not start one', async () => {
  const { handle } = tryServer(commands.misbehaving());
  await handle.notify('notifications/roots/list_changed');
  expect(handle.state.status).toBe('idle');
});
