/** Starting, sharing, idling, crashing, and when it is left alone (rows B1, B2, E7; issue 3, points 3 and 4). */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveConnection } from '../../electron/core/secrets/secrets.ts';
import { toolTimeoutMs } from '../../electron/core/upstream/upstream.ts';
import { commands } from '../fixtures/commands.ts';
import { testHost } from '../fixtures/host.ts';
import { eventually, failureOf, isAlive, numbersIn, textOf, tryServer } from './helper.ts';

test('starts nothing before it is needed (E2)', async () => {
  const { upstream, states } = tryServer(commands.misbehaving());
  expect(upstream.state).toMatchObject({ status: 'idle', restarts: 0, breaker: 'closed' });
  expect(states).toEqual([]);
});

test('callers who come at the same time share one start (B1)', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const { upstream, call } = tryServer(commands.misbehaving('normal', `pids=${pids}`), { host });
  const answers = await Promise.all([upstream.start(), upstream.start(), call('pid'), call('pid')]);
  expect(answers[0]).toBe(answers[1]);
  expect(numbersIn(pids)).toEqual([upstream.state.pid]);
});

test('a caller who gives up does not end the start for the others', async () => {
  const { upstream } = tryServer(commands.misbehaving('slow-start', 'delay=300'));
  const controller = new AbortController();
  const impatient = upstream.start(controller.signal);
  const patient = upstream.start();
  controller.abort();
  expect(await failureOf(impatient)).toMatchObject({ code: 'CANCELLED' });
  expect((await patient).serverInfo?.name).toBe('misbehaving');
});

test('tells its states in order, with pid and era once it is ready', async () => {
  const { upstream, states } = tryServer(commands.misbehaving());
  await upstream.start();
  const seen = states.map((state) => (state.status === 'starting' ? state.phase : state.status));
  expect([...new Set(seen)]).toEqual(['configuration', 'transport', 'session', 'ready']);
  expect(upstream.state).toMatchObject({ status: 'ready', era: 'legacy' });
  expect(isAlive(upstream.state.pid as number)).toBe(true);
  expect(upstream.state).not.toHaveProperty('phase');
});

test('stops when idle, without failure, and starts again on use (E2)', async () => {
  const { upstream, call } = tryServer(commands.misbehaving(), { idleTimeoutMs: 100 });
  const first = Number(textOf(await call('pid')));
  await eventually(() => upstream.state.status === 'idle', 'the idle stop');
  expect(isAlive(first)).toBe(false);
  expect(upstream.state).not.toHaveProperty('failure');
  expect(upstream.state).not.toHaveProperty('pid');
  const second = Number(textOf(await call('pid')));
  expect(second).not.toBe(first);
  expect(upstream.state).toMatchObject({ status: 'ready', restarts: 1 });
});

test('does not stop for idleness while a call runs', async () => {
  const { call } = tryServer(commands.misbehaving(), { idleTimeoutMs: 50 });
  expect(textOf(await call('sleep', { ms: 400 }))).toBe('slept');
});

test('an idle timeout of 0 and keep-alive both keep it running', async () => {
  const forever = tryServer(commands.misbehaving(), { idleTimeoutMs: 0 });
  const kept = tryServer(commands.misbehaving(), { idleTimeoutMs: 1, server: { lifecycle: { keepAlive: true } } });
  const idle = tryServer(commands.misbehaving(), { idleTimeoutMs: 1 });
  await Promise.all([forever, kept, idle].map(({ upstream }) => upstream.start()));
  await eventually(() => idle.upstream.state.status === 'idle', 'the idle stop of the third');
  expect(forever.upstream.state.status).toBe('ready');
  expect(kept.upstream.state.status).toBe('ready');
});

test('after a crash the next use starts it anew (E7)', async () => {
  const { upstream, call } = tryServer(commands.misbehaving());
  expect(await failureOf(call('exit', { code: 5 }))).toMatchObject({ code: 'SERVER_CRASHED' });
  expect(upstream.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_CRASHED' } });
  expect(textOf(await call('echo', { text: 'again' }))).toBe('again');
  expect(upstream.state).toMatchObject({ status: 'ready', restarts: 1 });
  expect(upstream.state).not.toHaveProperty('failure');
});

test('a keep-alive server comes back by itself after a crash (E7, E9)', async () => {
  const { upstream, call } = tryServer(commands.misbehaving(), { server: { lifecycle: { keepAlive: true } } });
  const first = Number(textOf(await call('pid')));
  process.kill(first, 'SIGKILL');
  await eventually(() => upstream.state.status === 'ready' && upstream.state.pid !== first, 'the restart');
});

test('a keep-alive server that no longer answers is replaced (E9)', async () => {
  const { upstream, call } = tryServer(commands.misbehaving(), {
    server: { lifecycle: { keepAlive: true } },
    tuning: { healthIntervalMs: 200 },
  });
  const first = Number(textOf(await call('pid')));
  process.kill(first, 'SIGSTOP');
  await eventually(() => upstream.state.status === 'ready' && upstream.state.pid !== first, 'the replacement');
  expect(isAlive(first)).toBe(false);
});

test('a crash loop ends in a state that only the person can leave (E7)', async () => {
  const { upstream, states } = tryServer(commands.misbehaving('crash-loop', 'delay=10'), {
    server: { lifecycle: { keepAlive: true } },
    tuning: { crashLimit: 3 },
  });
  await upstream.start();
  await eventually(() => upstream.state.failure?.message.includes('3 times'), 'the end of the loop');
  const starts = states.filter((state) => state.status === 'starting' && state.phase === 'configuration').length;
  expect(await failureOf(upstream.start())).toMatchObject({
    code: 'SERVER_CRASHED',
    hint: expect.stringContaining('restart'),
  });
  expect(states.filter((state) => state.status === 'starting' && state.phase === 'configuration').length).toBe(starts);
  await upstream.stop();
  expect(upstream.state.status).toBe('idle');
  expect((await upstream.start()).era).toBe('legacy');
});

test('after two failed starts it is left alone: callers fail at once and hear the cause (B2, E9)', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const { upstream } = tryServer(commands.misbehaving('crash-at-initialize', `pids=${pids}`), { host });
  expect((await failureOf(upstream.start())).code).toBe('SERVER_CRASHED');
  expect(upstream.state.breaker).toBe('closed');
  expect((await failureOf(upstream.start())).code).toBe('SERVER_CRASHED');
  expect(upstream.state.breaker).toBe('open');
  const third = await failureOf(upstream.start());
  expect(third.code).toBe('SERVER_BREAKER_OPEN');
  expect(third.message).toContain('broken on purpose at initialize');
  expect(upstream.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_CRASHED' } });
  expect(numbersIn(pids).length).toBe(2);
});

test('the breaker lets one try through after its time, and a stop by the person closes it (B2, E9)', async () => {
  const { upstream } = tryServer(commands.misbehaving('crash-at-start'), { tuning: { breakerOpenMs: 500 } });
  await failureOf(upstream.start());
  await failureOf(upstream.start());
  await eventually(() => upstream.state.breaker === 'half-open', 'the half-open breaker');
  expect((await failureOf(upstream.start())).code).toBe('SERVER_CRASHED');
  expect((await failureOf(upstream.start())).code).toBe('SERVER_BREAKER_OPEN');
  await upstream.stop();
  expect(upstream.state.breaker).toBe('closed');
  expect((await failureOf(upstream.start())).code).toBe('SERVER_CRASHED');
});

test('a missing value does not open the breaker: once it is set, the next use works', async () => {
  const env: Record<string, string> = {};
  const command = { ...commands.misbehaving(), env: { TOKEN: '${THE_TOKEN}' } };
  const { upstream } = tryServer(command, {
    resolve: (connection) => resolveConnection(connection, { env, homeDir: '/' }),
  });
  for (const _ of [1, 2, 3]) expect((await failureOf(upstream.start())).code).toBe('SECRET_MISSING');
  env.THE_TOKEN = 'set';
  expect((await upstream.start()).era).toBe('legacy');
});

test('a stop during the start gives the start up and leaves nothing behind', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const { upstream } = tryServer(commands.misbehaving('hang-at-initialize', `pids=${pids}`), { host });
  const starting = failureOf(upstream.start());
  const pid = await eventually(() => numbersIn(pids)[0], 'the process');
  await upstream.stop();
  expect(await starting).toMatchObject({ code: 'CANCELLED' });
  expect(isAlive(pid)).toBe(false);
  expect(upstream.state).toMatchObject({ status: 'idle', breaker: 'closed' });
});

test('a stop ends running calls with a clear word', async () => {
  const { upstream, call } = tryServer(commands.misbehaving());
  await upstream.start();
  const running = failureOf(call('sleep', { ms: 60_000 }));
  await upstream.stop();
  expect(await running).toMatchObject({ code: 'CANCELLED' });
});

test('a call may take a minute, or what MCP_TOOL_TIMEOUT says, and never less than five seconds (B3)', () => {
  const limits = [undefined, '', 'soon', '0', '90000', '1'].map((value) => toolTimeoutMs({ MCP_TOOL_TIMEOUT: value }));
  expect(limits).toEqual([60_000, 60_000, 60_000, 60_000, 90_000, 5_000]);
});

test('a notification goes to a running server and starts none', async () => {
  const { upstream } = tryServer(commands.misbehaving());
  await upstream.notify('notifications/roots/list_changed');
  expect(upstream.state.status).toBe('idle');
});
