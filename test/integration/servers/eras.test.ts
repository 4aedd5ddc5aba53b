/** Both protocol eras, known and unknown, over stdio. Over HTTP see http.test.ts. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { results } from '../../fixtures/content.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { failureOf, messagesIn, textOf, tryServer } from './server-harness.ts';

const methods = (file: string) => messagesIn(file).map((message) => message.method);

test('A legacy server receives no message before initialize', async () => {
  const host = testHost();
  const log = join(host.homeDir, 'log');
  const { handle } = tryServer(commands.misbehaving('exit-on-unknown', `log=${log}`), { host });
  expect((await handle.start()).era).toBe('legacy');
  await handle.request({ method: 'ping' });
  expect(methods(log)).toEqual(['initialize', 'notifications/initialized', 'ping']);
  await expect.poll(() => host.settings.eras).toMatchObject({ trial: { era: 'legacy' } });
});

test('A modern-only server continues in the process that refused initialize', async () => {
  const { handle, host, states } = tryServer(commands.modernOnly());
  const info = await handle.start();
  expect(info).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28', serverInfo: { name: 'content' } });
  expect(info.instructions).toBe('Every kind of content.');
  await expect.poll(() => host.settings.eras).toMatchObject({ trial: { era: 'modern' } });
  expect(new Set(states.map((state) => state.pid).filter(Boolean)).size).toBe(1);
});

test('A modern result is unchanged except for the wire-only resultType', async () => {
  const { call } = tryServer(commands.modernOnly());
  const { _meta, ...rest } = await call('everything');
  const { _meta: expectedMeta, ...expected } = results.everything as Record<string, unknown>;
  expect(rest).toEqual(expected);
  expect(_meta).toMatchObject(expectedMeta as object);
});

test('Legacy and modern servers work side by side', async () => {
  const legacy = tryServer(commands.misbehaving());
  const modern = tryServer(commands.modernOnly());
  const both = tryServer(commands.content());
  const eras = await Promise.all([legacy, modern, both].map(async ({ handle }) => (await handle.start()).era));
  expect(eras).toEqual(['legacy', 'modern', 'legacy']);
  expect(textOf(await legacy.call('echo', { text: 'a' }))).toBe('a');
  expect((await modern.call('text')).content).toEqual(results.text?.content);
  expect((await both.call('text')).content).toEqual(results.text?.content);
});

test.each(['exit-on-unknown', 'hang-on-unknown'])(
  'A change of a server from modern to legacy (%s) is detected',
  async (behaviour) => {
    const host = testHost();
    host.store.set('eras', { trial: { era: 'modern' } });
    const { handle, call } = tryServer(commands.misbehaving(behaviour), { host, tuning: { startTimeoutMs: 1_500 } });
    expect((await handle.start()).era).toBe('legacy');
    expect(textOf(await call('echo', { text: 'old' }))).toBe('old');
    await expect.poll(() => host.settings.eras.trial?.era).toBe('legacy');
  },
);

test('A change of a server from legacy to modern-only is detected', async () => {
  const host = testHost();
  host.store.set('eras', { trial: { era: 'legacy' } });
  const { handle } = tryServer(commands.modernOnly(), { host });
  expect((await handle.start()).era).toBe('modern');
});

test('A server that refuses both eras fails with its own error message', async () => {
  const { handle } = tryServer(commands.misbehaving('refuse-initialize'));
  const failure = await failureOf(handle.start());
  expect(failure.code).toBe('SERVER_PROTOCOL_ERROR');
  expect(failure.message).toContain('not today');
});

test('An endless handshake times out, and the failure names it', async () => {
  const { handle } = tryServer(commands.misbehaving('hang-at-initialize'), {
    tuning: { startTimeoutMs: 400, probeTimeoutMs: 200 },
  });
  const failure = await failureOf(handle.start());
  expect(failure.code).toBe('SERVER_TIMEOUT');
  expect(failure.message).toContain('initialize');
  expect(handle.state).toMatchObject({ status: 'failed', phase: 'session' });
});

test('List changes are reported in both eras', async () => {
  const legacy = tryServer(commands.content());
  const modern = tryServer(commands.modernOnly());
  for (const { handle, call, notes } of [legacy, modern]) {
    await handle.start();
    await call('grow');
    await eventually(() => notes.find((note) => note.method === 'notifications/tools/list_changed'), 'list_changed');
    expect(notes.every((note) => note.method === 'notifications/tools/list_changed')).toBe(true);
  }
});

test('The duration of each phase is reported', async () => {
  const { handle } = tryServer(commands.misbehaving());
  await handle.start();
  expect(handle.state.phases.map((entry) => entry.phase)).toEqual(['configuration', 'transport', 'session']);
  expect(handle.state.phases.every((entry) => entry.durationMs >= 0)).toBe(true);
});
