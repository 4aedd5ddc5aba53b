/** Events during a call: progress, cancellation, timeout, and questions from the server. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { ServerRequest } from '../../../electron/core/types.ts';
import { fail } from '../../../shared/failure.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { failureOf, messagesIn, openTrial, textOf, tryServer } from './server-harness.ts';

const content = { legacy: openTrial(commands.content()), modern: openTrial(commands.modernOnly()) };
const elicit = { legacy: openTrial(commands.elicit('legacy')), modern: openTrial(commands.elicit('modern')) };
const plain = openTrial(commands.misbehaving());
afterAll(async () => {
  for (const trial of [...Object.values(content), ...Object.values(elicit), plain]) await trial.close();
});
const eras = ['legacy', 'modern'] as const;

const slow = (ms: number, steps = 5) => ({ method: 'tools/call', params: { name: 'slow', arguments: { ms, steps } } });

test.each(eras)("%s: progress arrives in order, without Toolkeep's token", async (era) => {
  const { handle } = content[era];
  const progress: unknown[] = [];
  await handle.request({ ...slow(50, 3), onProgress: (params) => void progress.push(params) });
  expect(progress).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
});

test('Progress keeps unknown fields', async () => {
  const { handle } = plain;
  const progress: Record<string, unknown>[] = [];
  await handle.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 60 }, _meta: { progressToken: "the client's own", kept: true } },
    onProgress: (params) => void progress.push(params),
  });
  expect(progress[0]).toMatchObject({ extra: 'kept' });
  expect(progress[0]).not.toHaveProperty('progressToken');
});

test.each(eras)('%s: a cancelled call reaches the server and is cancelled there', async (era) => {
  const { handle, call } = content[era];
  await handle.start();
  const controller = new AbortController();
  const started = Promise.withResolvers<void>();
  const running = handle.request({
    ...slow(2_000, 100),
    signal: controller.signal,
    onProgress: () => started.resolve(),
  });
  await started.promise;
  controller.abort();
  expect(await failureOf(running)).toMatchObject({ code: 'CANCELLED', server: 'trial' });
  const cancelled = await eventually(async () => {
    const ids: number[] = JSON.parse(textOf(await call('cancelled')));
    return ids.length > 0 && ids;
  }, 'a cancelled call');
  expect(cancelled.length).toBe(1);
});

test('A call that was cancelled before its start does not reach the server', async () => {
  const host = testHost();
  const log = join(host.homeDir, 'log');
  const { handle } = tryServer(commands.misbehaving('normal', `log=${log}`), { host });
  await handle.start();
  expect(await failureOf(handle.request({ ...slow(10), signal: AbortSignal.abort() }))).toMatchObject({
    code: 'CANCELLED',
  });
  await handle.request({ method: 'ping' });
  expect(messagesIn(log).map((message) => message.method)).not.toContain('tools/call');
});

test('A silent call ends at its timeout, the server is notified, and the connection stays usable', async () => {
  const host = testHost();
  const log = join(host.homeDir, 'log');
  const { handle, call } = tryServer(commands.misbehaving('normal', `log=${log}`), { host });
  const failure = await failureOf(
    handle.request({ method: 'tools/call', params: { name: 'sleep', arguments: { ms: 60_000 } }, timeoutMs: 100 }),
  );
  expect(failure).toMatchObject({ code: 'SERVER_TIMEOUT', server: 'trial' });
  expect(failure.message).toContain('tools/call "sleep"');
  await eventually(
    () => messagesIn(log).find((message) => message.method === 'notifications/cancelled'),
    'the cancellation',
  );
  expect(textOf(await call('echo', { text: 'fine' }))).toBe('fine');
  expect(handle.state.status).toBe('ready');
});

test('Progress keeps a long call alive beyond its timeout', async () => {
  const { handle } = plain;
  const result = await handle.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 1_500 } },
    timeoutMs: 600,
    onProgress: () => {},
  });
  expect(textOf(result)).toBe('slept');
});

test('Progress does not keep a call alive forever', async () => {
  const { handle } = plain;
  const running = handle.request({
    method: 'tools/call',
    params: { name: 'sleep', arguments: { ms: 60_000 } },
    timeoutMs: 50,
    onProgress: () => {},
  });
  expect(await failureOf(running)).toMatchObject({ code: 'SERVER_TIMEOUT' });
});

test('A hanging call does not delay another call', async () => {
  const { handle, call } = plain;
  const controller = new AbortController();
  const hanging = handle.request({
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
const answering = (asks: ServerRequest[]) => async (ask: ServerRequest) => {
  asks.push(ask);
  return answers[ask.method] ?? {};
};

test.each(eras)('%s: every kind of question reaches the caller, and its answer reaches the tool', async (era) => {
  const { handle } = elicit[era];
  for (const [tool, method] of [
    ['confirm', 'elicitation/create'],
    ['url', 'elicitation/create'],
    ['sample', 'sampling/createMessage'],
    ['roots', 'roots/list'],
  ] as const) {
    const asks: ServerRequest[] = [];
    const result = await handle.request({
      method: 'tools/call',
      params: { name: tool, arguments: {} },
      onServerRequest: answering(asks),
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
  const { handle } = elicit[era];
  const asks: ServerRequest[] = [];
  const result = await handle.request({
    method: 'tools/call',
    params: { name: 'twice' },
    onServerRequest: answering(asks),
  });
  expect(asks.map((ask) => ask.params.message)).toEqual(['First?', 'Second?']);
  expect(JSON.parse(textOf(result))).toEqual({
    first: answers['elicitation/create'],
    second: answers['elicitation/create'],
  });
  expect(result.isError).toBeUndefined();
});

test('Two questions in one result of a modern server are asked concurrently', async () => {
  const { handle } = elicit.modern;
  const asks: ServerRequest[] = [];
  const both = Promise.withResolvers<void>();
  await handle.request({
    method: 'tools/call',
    params: { name: 'pair' },
    async onServerRequest(ask) {
      asks.push(ask);
      if (asks.length === 2) both.resolve();
      await both.promise;
      return { action: 'decline' };
    },
  });
  expect(asks.length).toBe(2);
});

test('A modern server that asks endlessly is stopped', async () => {
  const { handle } = elicit.modern;
  const failure = await failureOf(
    handle.request({ method: 'tools/call', params: { name: 'stubborn' }, onServerRequest: answering([]) }),
  );
  expect(failure).toMatchObject({ code: 'SERVER_PROTOCOL_ERROR' });
});

test.each(eras)('%s: if no one can answer, the question is cancelled and the tool continues', async (era) => {
  const { handle } = elicit[era];
  const result = await handle.request({ method: 'tools/call', params: { name: 'confirm' } });
  expect(JSON.parse(textOf(result))).toEqual({ ok: { action: 'cancel' } });
});

test('The timeout of a call pauses while the user decides', async () => {
  const { handle } = elicit.legacy;
  await handle.start();
  const result = await handle.request({
    method: 'tools/call',
    params: { name: 'confirm' },
    timeoutMs: 800,
    async onServerRequest() {
      await sleep(1_200);
      return { action: 'accept', content: { confirm: true } };
    },
  });
  expect(JSON.parse(textOf(result))).toEqual({ ok: { action: 'accept', content: { confirm: true } } });
});

test('A tool fails with the reason if the caller cannot answer its question', async () => {
  const { handle } = elicit.legacy;
  const onServerRequest = async () => {
    throw fail('ELICITATION_TIMEOUT', 'Nobody answered in time.');
  };
  const error = await handle
    .request({ method: 'tools/call', params: { name: 'confirm' }, onServerRequest })
    .catch((reason) => reason);
  expect(String(error.message)).toContain('Nobody answered in time');
});

test('A cancelled call withdraws its question', async () => {
  const { handle } = elicit.legacy;
  const controller = new AbortController();
  const withdrawn = Promise.withResolvers<void>();
  const running = handle.request({
    method: 'tools/call',
    params: { name: 'confirm' },
    signal: controller.signal,
    onServerRequest: (_, signal) =>
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
