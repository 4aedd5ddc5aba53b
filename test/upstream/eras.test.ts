/** Both protocol eras, known and unknown, over stdio (row N3). Over HTTP see http.test.ts. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { results } from '../fixtures/content.ts';
import { testHost } from '../fixtures/host.ts';
import { eventually, failureOf, messagesIn, textOf, tryServer } from './helper.ts';

const methods = (file: string) => messagesIn(file).map((message) => message.method);

test('speaks to a legacy server without ever sending it anything before initialize (D3, N3)', async () => {
  const host = testHost();
  const log = join(host.homeDir, 'log');
  const { upstream } = tryServer(commands.misbehaving('exit-on-unknown', `log=${log}`), { host });
  expect((await upstream.start()).era).toBe('legacy');
  await upstream.request({ method: 'ping' });
  expect(methods(log)).toEqual(['initialize', 'notifications/initialized', 'ping']);
  expect(host.settings.eras).toEqual({ trial: { era: 'legacy' } });
});

test('speaks to a server that knows only the modern era, in the same process that refused initialize (D3, N3)', async () => {
  const { upstream, host, states } = tryServer(commands.modernOnly());
  const info = await upstream.start();
  expect(info).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', serverInfo: { name: 'content' } });
  expect(info.instructions).toBe('Every kind of content.');
  expect(host.settings.eras).toEqual({ trial: { era: 'modern' } });
  expect(new Set(states.map((state) => state.pid).filter(Boolean)).size).toBe(1);
});

test('a modern result is the raw one, without the wire-only resultType', async () => {
  const { call } = tryServer(commands.modernOnly());
  const { _meta, ...rest } = await call('everything');
  const { _meta: expectedMeta, ...expected } = results.everything as Record<string, unknown>;
  expect(rest).toEqual(expected);
  expect(_meta).toMatchObject(expectedMeta as object);
});

test('legacy and modern servers work side by side (N3)', async () => {
  const legacy = tryServer(commands.misbehaving());
  const modern = tryServer(commands.modernOnly());
  const both = tryServer(commands.content());
  const eras = await Promise.all([legacy, modern, both].map(async ({ upstream }) => (await upstream.start()).era));
  expect(eras).toEqual(['legacy', 'modern', 'legacy']);
  expect(textOf(await legacy.call('echo', { text: 'a' }))).toBe('a');
  expect((await modern.call('text')).content).toEqual(results.text?.content);
  expect((await both.call('text')).content).toEqual(results.text?.content);
});

test.each(['exit-on-unknown', 'hang-on-unknown'])(
  'a server remembered as modern that has become legacy (%s) is found out',
  async (behaviour) => {
    const host = testHost();
    host.store.set('eras', { trial: { era: 'modern' } });
    const { upstream, call } = tryServer(commands.misbehaving(behaviour), { host, tuning: { startTimeoutMs: 1_500 } });
    expect((await upstream.start()).era).toBe('legacy');
    expect(textOf(await call('echo', { text: 'old' }))).toBe('old');
    expect(host.settings.eras.trial?.era).toBe('legacy');
  },
);

test('a server remembered as legacy that has become modern-only is found out', async () => {
  const host = testHost();
  host.store.set('eras', { trial: { era: 'legacy' } });
  const { upstream } = tryServer(commands.modernOnly(), { host });
  expect((await upstream.start()).era).toBe('modern');
});

test('a server that refuses both eras is refused with its own words', async () => {
  const { upstream } = tryServer(commands.misbehaving('refuse-initialize'));
  const failure = await failureOf(upstream.start());
  expect(failure.code).toBe('SERVER_PROTOCOL_ERROR');
  expect(failure.message).toContain('not today');
});

test('a handshake that never ends is bounded and named (B3, D3)', async () => {
  const { upstream } = tryServer(commands.misbehaving('hang-at-initialize'), {
    tuning: { startTimeoutMs: 400, probeTimeoutMs: 200 },
  });
  const failure = await failureOf(upstream.start());
  expect(failure.code).toBe('SERVER_TIMEOUT');
  expect(failure.message).toContain('initialize');
  expect(upstream.state).toMatchObject({ status: 'failed', phase: 'session' });
});

test('tells of list changes in both eras', async () => {
  const legacy = tryServer(commands.content());
  const modern = tryServer(commands.modernOnly());
  for (const { upstream, call, notes } of [legacy, modern]) {
    await upstream.start();
    await call('grow');
    await eventually(() => notes.find((note) => note.method === 'notifications/tools/list_changed'), 'list_changed');
    expect(notes.every((note) => note.method === 'notifications/tools/list_changed')).toBe(true);
  }
});

test('tells the duration of each phase (D1, D2, D3)', async () => {
  const { upstream } = tryServer(commands.misbehaving());
  await upstream.start();
  expect(upstream.state.phases.map((entry) => entry.phase)).toEqual(['configuration', 'transport', 'session']);
  expect(upstream.state.phases.every((entry) => entry.durationMs >= 0)).toBe(true);
});
