/** Several instances of one server: which instance gets a call, and what happens to calls when an instance ends. */

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolkeepError } from '../../../shared/failure.ts';
import { type Command, commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { startHttpFixture } from '../../fixtures/http-server.ts';
import { failureOf, isAlive, messagesIn, numbersIn, type Trial, textOf, tryServer } from './server-harness.ts';

const several = (instances: number, command: Command = commands.misbehaving()) => Object.assign(command, { instances });
const byCall = { lifecycle: { affinity: 'none' as const } };

type More = { session?: string; mayRepeat?: boolean; args?: Record<string, unknown> };
const call = async ({ handle }: Trial, name: string, { args = {}, ...more }: More = {}) =>
  textOf(await handle.request({ method: 'tools/call', params: { name, arguments: args }, ...more }));

const instancesOf = ({ handle }: Trial) => handle.state.instances ?? [];
const pidsOf = (trial: Trial) => instancesOf(trial).flatMap(({ pid }) => pid ?? []);

/** Counts each string. */
function counts(texts: string[]): number[] {
  return [...new Set(texts)].map((text) => texts.filter((other) => other === text).length);
}

test('A server with one instance has no list of instances in its state', async () => {
  for (const command of [commands.misbehaving(), several(1)]) {
    const { handle } = tryServer(command);
    await handle.start();
    expect(handle.state).not.toHaveProperty('instances');
  }
});

test('Calls that any instance may run are distributed evenly among three instances', async () => {
  const trial = tryServer(several(3), { server: byCall });
  const texts = await Promise.all(Array.from({ length: 30 }, () => call(trial, 'pid', { session: 'one client' })));
  expect(counts(texts)).toEqual([10, 10, 10]);
  expect(instancesOf(trial).map(({ calls }) => calls)).toEqual(Array(3).fill({ active: 0, total: 10, failed: 0 }));
});

test('A busy instance gets no call while another is free', async () => {
  const trial = tryServer(several(2), { server: byCall });
  const busy = call(trial, 'sleep', { args: { ms: 5_000 } });
  busy.catch(() => {});
  const texts: string[] = [];
  for (let count = 0; count < 6; count += 1) texts.push(await call(trial, 'pid'));
  expect(counts(texts)).toEqual([6]);
  expect(instancesOf(trial).map(({ calls }) => calls.active)).toEqual([1, 0]);
});

test('The calls of one session go to one instance, because it may keep state', async () => {
  const trial = tryServer(several(3));
  const sessions = ['a', 'b', 'c'];
  const calls = Array.from({ length: 30 }, (_, index) => sessions[index % 3] as string);
  const texts = await Promise.all(calls.map(async (session) => `${session} ${await call(trial, 'pid', { session })}`));
  expect(counts(texts)).toEqual([10, 10, 10]);
  expect(new Set(pidsOf(trial)).size).toBe(3);
});

test('Only the calls of a killed replica fail; the other two continue, and the replica restarts automatically', async () => {
  const trial = tryServer(several(3));
  const sessions = ['a', 'b', 'c'];
  const pids = await Promise.all(sessions.map(async (session) => Number(await call(trial, 'pid', { session }))));
  const [killed, ...kept] = pids as [number, number, number];
  const inFlight = failureOf(call(trial, 'sleep', { session: 'a', args: { ms: 60_000 } }));
  const others = ['b', 'c'].map((session) => call(trial, 'sleep', { session, args: { ms: 200 } }));
  await eventually(() => instancesOf(trial).every(({ calls }) => calls.active === 1), 'the calls');
  process.kill(killed, 'SIGKILL');

  expect(await inFlight).toMatchObject({
    code: 'SERVER_CRASHED',
    message: expect.stringContaining('It was instance 1 of 3.'),
  });
  expect(await Promise.all(others)).toEqual(['slept', 'slept']);
  expect(trial.handle.state.status).toBe('ready');
  const after = await Promise.all(
    Array.from({ length: 30 }, (_, index) => call(trial, 'pid', { session: sessions[index % 3] as string })),
  );
  expect(new Set(after.map(Number))).toEqual(new Set(kept));
  await eventually(() => instancesOf(trial).every(({ status }) => status === 'ready'), 'the return');
  expect(pidsOf(trial)).not.toContain(killed);
  expect(instancesOf(trial)[0]).toMatchObject({ status: 'ready', restarts: 1, calls: { total: 2, failed: 1 } });
  const fresh = await Promise.all(['d', 'e', 'f'].map((session) => call(trial, 'pid', { session })));
  expect(new Set(fresh.map(Number))).toEqual(new Set(pidsOf(trial)));
});

test('The exit of an instance under load fails exactly the calls that ran on it', async () => {
  const trial = tryServer(several(3), { server: byCall });
  const outcomes: string[] = [];
  let onIt = 0;
  const worker = async (name: string) => {
    for (let count = 0; count < 25; count += 1) {
      const text = `${name} ${count}`;
      const args = { text };
      // Half of the calls take a while, so that some are always in progress.
      const outcome = count % 2 ? call(trial, 'echo', { args }) : call(trial, 'sleep', { args: { ms: 20 } });
      outcomes.push(
        await outcome.then(
          (answer) => (answer === (count % 2 ? text : 'slept') ? 'right' : `wrong: ${answer}`),
          (error: ToolkeepError) => error.failure.message.replace(/.* (It was instance \d of \d\.)$/s, '$1'),
        ),
      );
      const [first] = instancesOf(trial);
      if (outcomes.length < 60 || onIt > 0 || !first?.calls.active) continue;
      onIt = first.calls.active;
      process.kill(first.pid as number, 'SIGKILL');
    }
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(worker));
  const failed = outcomes.filter((outcome) => outcome !== 'right');
  expect(outcomes).toHaveLength(150);
  expect(new Set(failed)).toEqual(new Set(failed.length > 0 ? ['It was instance 1 of 3.'] : []));
  // Until its exit is detected, it may still get calls: at most one from each worker.
  expect(failed.length).toBeLessThanOrEqual(6);
  expect(onIt).toBeGreaterThan(0);
  expect(instancesOf(trial)[0]?.calls.failed).toBe(failed.length);
});

test('A call that may have run is repeated only if that is safe', async () => {
  for (const mayRepeat of [false, true]) {
    const host = testHost();
    const log = join(host.homeDir, 'log');
    const trial = tryServer(several(2, commands.misbehaving('normal', `log=${log}`)), { host });
    const pid = Number(await call(trial, 'pid', { session: 'a' }));
    const running = call(trial, 'sleep', { session: 'a', args: { ms: 1_500 }, mayRepeat });
    const outcome = running.catch((error: ToolkeepError) => error.failure.code);
    const runs = () => messagesIn(log).filter(({ params }) => params?.name === 'sleep').length;
    await eventually(() => runs() === 1, 'the call');
    process.kill(pid, 'SIGKILL');
    expect(await outcome).toBe(mayRepeat ? 'slept' : 'SERVER_CRASHED');
    expect(runs()).toBe(mayRepeat ? 2 : 1);
  }
});

test('A call never goes to an instance that cannot be started while another can', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const trial = tryServer(several(3, commands.misbehaving('normal', `pids=${pids}`)), {
    ...{ host, server: byCall },
    // The second process exits at once.
    resolve: (() => {
      let made = 0;
      return (connection) => {
        const { instances: _, ...command } = several(
          3,
          commands.misbehaving(++made === 2 ? 'crash-at-start' : 'normal'),
        );
        return { ...connection, ...command, env: {} } as never;
      };
    })(),
  });
  const texts = await Promise.all(Array.from({ length: 12 }, () => call(trial, 'pid')));
  expect(counts(texts).reduce((sum, count) => sum + count)).toBe(12);
  expect(new Set(texts).size).toBe(2);
  await eventually(async () => (await call(trial, 'pid')) && pidsOf(trial).length === 3, 'the return of the third');
});

test('An instance with repeated failures gets no calls for a while', async () => {
  const http = await startHttpFixture();
  const bad = await startHttpFixture();
  onTestFinished(async () => {
    await Promise.allSettled([http.close(), bad.close()]);
  });
  const url = bad.url('/legacy');
  const trial = tryServer(http.url('/legacy'), {
    server: { ...byCall, connection: { type: 'http', url: http.url('/legacy'), headers: {}, replicas: [url] } },
    tuning: { cooldownMs: 400 },
  });
  const outcomes = () =>
    Promise.all(
      Array.from({ length: 6 }, () =>
        call(trial, 'text').then(
          () => 'answered',
          () => 'failed',
        ),
      ),
    );
  expect(await outcomes()).toEqual(Array(6).fill('answered'));
  expect(instancesOf(trial).map(({ calls }) => calls.total)).toEqual([3, 3]);
  const port = Number(new URL(url).port);
  await bad.close();
  // Calls in progress may fail; later calls do not.
  await outcomes();
  expect(await outcomes()).toEqual(Array(6).fill('answered'));
  expect(instancesOf(trial)[1]).toMatchObject({ status: 'failed', failure: { code: 'SERVER_UNREACHABLE' } });
  expect(trial.handle.state.status).toBe('ready');

  const again = await startHttpFixture({ port });
  onTestFinished(() => again.close());
  await eventually(async () => (await outcomes()) && instancesOf(trial)[1]?.status === 'ready', 'the return');
  const before = instancesOf(trial)[1]?.calls.total ?? 0;
  expect(await outcomes()).toEqual(Array(6).fill('answered'));
  expect(instancesOf(trial)[1]?.calls.total).toBe(before + 3);
});

test('An unresponsive instance gets no calls for a while, but another instance always does', async () => {
  const host = testHost();
  let made = 0;
  const trial = tryServer(several(2), {
    ...{ host, server: byCall, tuning: { cooldownMs: 60_000 } },
    resolve: (connection) => {
      const { instances: _, ...command } = several(2, commands.misbehaving(++made === 1 ? 'hang-at-call' : 'normal'));
      return { ...connection, ...command, env: {} } as never;
    },
  });
  const timed = () =>
    trial.handle
      .request({ method: 'tools/call', params: { name: 'pid', arguments: {} }, timeoutMs: 150 })
      .then(textOf, (error: ToolkeepError) => error.failure.code);
  const first = await Promise.all(Array.from({ length: 4 }, timed));
  expect(first.filter((outcome) => outcome === 'SERVER_TIMEOUT')).toHaveLength(2);
  expect(instancesOf(trial).map(({ status, breaker }) => [status, breaker])).toEqual([
    ['ready', 'open'],
    ['ready', 'closed'],
  ]);
  const then = await Promise.all(Array.from({ length: 4 }, timed));
  expect(new Set(then)).toEqual(new Set([String(instancesOf(trial)[1]?.pid)]));
});

test('The cause is reported when all replicas have failed, and the next call starts them again', async () => {
  const trial = tryServer(several(2));
  await Promise.all(['a', 'b'].map((session) => call(trial, 'pid', { session })));
  for (const pid of pidsOf(trial)) process.kill(pid, 'SIGKILL');
  await eventually(() => trial.handle.state.status === 'failed', 'the end of both');
  expect(trial.handle.state.failure?.code).toBe('SERVER_CRASHED');
  expect(Number(await call(trial, 'pid', { session: 'a' }))).toBeGreaterThan(0);
  const broken = tryServer(several(2, commands.misbehaving('crash-at-start')));
  expect(await failureOf(call(broken, 'pid'))).toMatchObject({ code: 'SERVER_CRASHED' });
});

test('Keep-alive keeps all instances running, and a stop ends all of them', async () => {
  const trial = tryServer(several(3), { server: { lifecycle: { keepAlive: true } } });
  await trial.handle.start();
  const pids = await eventually(() => pidsOf(trial).length === 3 && pidsOf(trial), 'all three');
  process.kill(pids[1] as number, 'SIGKILL');
  await eventually(() => pidsOf(trial).length === 3 && !pidsOf(trial).includes(pids[1] as number), 'the second');
  const last = pidsOf(trial);
  await trial.handle.stop();
  expect(last.filter(isAlive)).toEqual([]);
  expect(trial.handle.state.status).toBe('idle');
});

test('A discovery starts only one instance', async () => {
  const host = testHost();
  const pids = join(host.homeDir, 'pids');
  const trial = tryServer(several(3, commands.misbehaving('normal', `pids=${pids}`)), { host });
  await trial.handle.start();
  await trial.handle.request({ method: 'tools/list', passive: true });
  expect(numbersIn(pids)).toHaveLength(1);
  expect(instancesOf(trial).map(({ status }) => status)).toEqual(['ready', 'idle', 'idle']);
});

test('A subscriber is notified of a change by any instance, even one that started later', async () => {
  const trial = tryServer(several(2, commands.library()));
  const { handle, notes } = trial;
  const uri = 'book://1';
  await handle.request({ method: 'resources/subscribe', params: { uri }, session: 'a' });
  const touch = (session: string) => call(trial, 'touch', { session, args: { uri, text: `by ${session}` } });
  const heard = () => notes.filter(({ method }) => method === 'notifications/resources/updated').length;
  await touch('a');
  await eventually(() => heard() === 1, 'the change on the first');
  await touch('b');
  await eventually(() => heard() >= 2, 'the change on the second');
  expect(pidsOf(trial)).toHaveLength(2);
  await handle.request({ method: 'resources/unsubscribe', params: { uri }, session: 'a' });
  const before = heard();
  await Promise.all([touch('a'), touch('b')]);
  expect(heard()).toBe(before);
});

test('A client keeps its state on its instance, in either era', async () => {
  for (const era of ['legacy', 'modern'] as const) {
    const trial = tryServer(several(2, commands.library(era)));
    const uri = 'book://1';
    const read = async (session: string) => {
      const { contents } = await trial.handle.request({ method: 'resources/read', params: { uri }, session });
      return (contents as { text: string }[])[0]?.text;
    };
    for (const session of ['a', 'b']) await call(trial, 'touch', { session, args: { uri, text: `by ${session}` } });
    const seen = await Promise.all(['a', 'b', 'a', 'b', 'a'].map(read));
    expect(seen).toEqual(['by a', 'by b', 'by a', 'by b', 'by a']);
    expect(trial.handle.state.era).toBe(era);
  }
});

test('Questions during calls return to the calls that they belong to, in either era', async () => {
  for (const era of ['legacy', 'modern'] as const) {
    const trial = tryServer(several(2, commands.elicit(era)));
    const ask = (session: string) =>
      trial.handle.request({
        ...{ method: 'tools/call', params: { name: 'confirm', arguments: {} }, session },
        onServerRequest: async ({ origins }) => {
          expect(origins).toBeUndefined();
          return { action: session === 'a' ? 'accept' : 'decline', content: { confirm: true } };
        },
      });
    const [a, b] = await Promise.all([ask('a'), ask('b')]);
    expect([textOf(a), textOf(b)].map((text) => JSON.parse(text).ok.action)).toEqual(['accept', 'decline']);
    expect(pidsOf(trial)).toHaveLength(2);
  }
});
