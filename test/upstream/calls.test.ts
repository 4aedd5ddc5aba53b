/** What can happen while a call runs: progress, cancellation, silence, and questions of the server. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { UpstreamAsk } from '../../electron/core/upstream/upstream.ts';
import { fail } from '../../shared/failure.ts';
import { commands } from '../fixtures/commands.ts';
import { testHost } from '../fixtures/host.ts';
import { eventually, failureOf, messagesIn, openTrial, textOf, tryServer } from './helper.ts';

const content = { legacy: openTrial(commands.content()), modern: openTrial(commands.modernOnly()) };
const elicit = { legacy: openTrial(commands.elicit('legacy')), modern: openTrial(commands.elicit('modern')) };
const plain = openTrial(commands.misbehaving());
afterAll(async () => {
  for (const trial of [...Object.values(content), ...Object.values(elicit), plain]) await trial.close();
});
const eras = ['legacy', 'modern'] as const;

const slow = (ms: number, steps = 5) => ({ method: 'tools/call', params: { name: 'slow', arguments: { ms, steps } } });

test.each(eras)('%s: progress arrives in order, without our token', async (era) => {
  const { upstream } = content[era];
  const progress: unknown[] = [];
  await upstream.request({ ...slow(50, 3), onProgress: (params) => void progress.push(params) });
  expect(progress).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
});

test('progress keeps fields that no schema knows', async () => {
  const { upstream } = plain;
  const progress: Record<string, unknown>[] = [];
  await upstream.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 60 }, _meta: { progressToken: "the client's own", kept: true } },
    onProgress: (params) => void progress.push(params),
  });
  expect(progress[0]).toMatchObject({ extra: 'kept' });
  expect(progress[0]).not.toHaveProperty('progressToken');
});

test.each(eras)('%s: a cancelled call reaches the server and is cancelled there', async (era) => {
  const { upstream, call } = content[era];
  await upstream.start();
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const running = upstream.request({
    ...slow(2_000, 100),
    signal: controller.signal,
    onProgress: () => started.resolve(),
  });
  await started.promise;
  controller.abort();
  expect(await failureOf(running)).toMatchObject({ code: 'CANCELLED', server: 'trial' });
  const cancelled = await eventually2(async () => JSON.parse(textOf(await call('cancelled'))) as number[]);
  expect(cancelled.length).toBe(1);
});

test('a call that was cancelled before it began reaches nobody', async () => {
  const host = testHost();
  const log = join(host.homeDir, 'log');
  const { upstream } = tryServer(commands.misbehaving('normal', `log=${log}`), { host });
  await upstream.start();
  expect(await failureOf(upstream.request({ ...slow(10), signal: AbortSignal.abort() }))).toMatchObject({
    code: 'CANCELLED',
  });
  await upstream.request({ method: 'ping' });
  expect(messagesIn(log).map((message) => message.method)).not.toContain('tools/call');
});

test('a silent call ends at its timeout, the server is told, and the connection stays good', async () => {
  const host = testHost();
  const log = join(host.homeDir, 'log');
  const { upstream, call } = tryServer(commands.misbehaving('normal', `log=${log}`), { host });
  const failure = await failureOf(
    upstream.request({ method: 'tools/call', params: { name: 'sleep', arguments: { ms: 60_000 } }, timeoutMs: 100 }),
  );
  expect(failure).toMatchObject({ code: 'SERVER_TIMEOUT', server: 'trial' });
  expect(failure.message).toContain('tools/call "sleep"');
  await eventually(
    () => messagesIn(log).find((message) => message.method === 'notifications/cancelled'),
    'the cancellation',
  );
  expect(textOf(await call('echo', { text: 'fine' }))).toBe('fine');
  expect(upstream.state.status).toBe('ready');
});

test('progress keeps a long call alive beyond its timeout', async () => {
  const { upstream } = plain;
  const result = await upstream.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 1_500 } },
    timeoutMs: 600,
    onProgress: () => {},
  });
  expect(textOf(result)).toBe('slept');
});

test('progress does not keep a call alive for ever', async () => {
  const { upstream } = plain;
  const running = upstream.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 60_000 } },
    timeoutMs: 50,
    onProgress: () => {},
  });
  expect(await failureOf(running)).toMatchObject({ code: 'SERVER_TIMEOUT' });
});

test('one hanging call does not hold up another', async () => {
  const { upstream, call } = plain;
  const controller = new AbortController();
  const hanging = upstream.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 60_000 } },
    signal: controller.signal,
  });
  expect(textOf(await call('echo', { text: 'quick' }))).toBe('quick');
  controller.abort();
  expect((await failureOf(hanging)).code).toBe('CANCELLED');
});

const answers: Record<string, Record<string, unknown>> = {
  'elicitation/create': { action: 'accept', content: { confirm: true, a: '1', b: '2' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///tmp' }] },
};
const answering = (asks: UpstreamAsk[]) => async (ask: UpstreamAsk) => {
  asks.push(ask);
  return answers[ask.method] ?? {};
};

test.each(eras)('%s: every kind of question reaches the caller, and its answer the tool', async (era) => {
  const { upstream } = elicit[era];
  for (const [tool, method] of [
    ['confirm', 'elicitation/create'],
    ['url', 'elicitation/create'],
    ['sample', 'sampling/createMessage'],
    ['roots', 'roots/list'],
  ] as const) {
    const asks: UpstreamAsk[] = [];
    const result = await upstream.request({
      method: 'tools/call',
      params: { name: tool, arguments: {} },
      onAsk: answering(asks),
    });
    expect(
      asks.map((ask) => ask.method),
      tool,
    ).toEqual([method]);
    expect(Object.values(JSON.parse(textOf(result)))[0], tool).toMatchObject(
      tool === 'url' ? { action: 'accept' } : (answers[method] ?? {}),
    );
  }
});

test.each(eras)('%s: a tool that asks twice gets both answers', async (era) => {
  const { upstream } = elicit[era];
  const asks: UpstreamAsk[] = [];
  const result = await upstream.request({ method: 'tools/call', params: { name: 'twice' }, onAsk: answering(asks) });
  expect(asks.map((ask) => ask.params.message)).toEqual(['First?', 'Second?']);
  expect(JSON.parse(textOf(result))).toEqual({
    first: answers['elicitation/create'],
    second: answers['elicitation/create'],
  });
  expect(result.isError).toBeUndefined();
});

test('modern: two questions of one round are asked at once', async () => {
  const { upstream } = elicit.modern;
  const asks: UpstreamAsk[] = [];
  const both = Promise.withResolvers<void>();
  await upstream.request({
    method: 'tools/call',
    params: { name: 'pair' },
    async onAsk(ask) {
      asks.push(ask);
      if (asks.length === 2) both.resolve();
      await both.promise;
      return { action: 'decline' };
    },
  });
  expect(asks.length).toBe(2);
});

test('modern: a server that never stops asking is stopped', async () => {
  const { upstream } = elicit.modern;
  const failure = await failureOf(
    upstream.request({ method: 'tools/call', params: { name: 'stubborn' }, onAsk: answering([]) }),
  );
  expect(failure).toMatchObject({ code: 'SERVER_PROTOCOL_ERROR' });
});

test.each(eras)('%s: with nobody to ask, the question is cancelled and the tool goes on', async (era) => {
  const { upstream } = elicit[era];
  const result = await upstream.request({ method: 'tools/call', params: { name: 'confirm' } });
  expect(JSON.parse(textOf(result))).toEqual({ ok: { action: 'cancel' } });
});

test('the clock of a call stands still while the person thinks', async () => {
  const { upstream } = elicit.legacy;
  await upstream.start();
  const result = await upstream.request({
    method: 'tools/call',
    params: { name: 'confirm' },
    timeoutMs: 800,
    async onAsk() {
      await sleep(1_200);
      return { action: 'accept', content: { confirm: true } };
    },
  });
  expect(JSON.parse(textOf(result))).toEqual({ ok: { action: 'accept', content: { confirm: true } } });
});

test('a caller that cannot answer lets the tool fail with its reason', async () => {
  const { upstream } = elicit.legacy;
  const onAsk = async () => {
    throw fail('ELICITATION_TIMEOUT', 'Nobody answered in time.');
  };
  const error = await upstream
    .request({ method: 'tools/call', params: { name: 'confirm' }, onAsk })
    .catch((reason) => reason);
  expect(String(error.message)).toContain('Nobody answered in time');
});

test('cancelling a call withdraws the question it asked', async () => {
  const { upstream } = elicit.legacy;
  const controller = new AbortController();
  const withdrawn = Promise.withResolvers<void>();
  const running = upstream.request({
    method: 'tools/call',
    params: { name: 'confirm' },
    signal: controller.signal,
    onAsk: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          withdrawn.resolve();
          reject(signal.reason);
        });
        controller.abort();
      }),
  });
  expect((await failureOf(running)).code).toBe('CANCELLED');
  await withdrawn.promise;
});

async function eventually2(read: () => Promise<number[]>): Promise<number[]> {
  for (let tries = 0; tries < 200; tries++) {
    const value = await read();
    if (value.length > 0) return value;
    await sleep(20);
  }
  return [];
}
