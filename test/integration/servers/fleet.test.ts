/**
 * Thirty healthy servers among every kind of failing server: each ends in its expected state, without effect on others.
 *
 * @module-tag exhaustive
 */
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { type HttpFixture, startHttpFixture } from '../../fixtures/http-server.ts';
import { failureOf, textOf, tryServer } from './server-harness.ts';

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpFixture();
});
afterAll(() => http.close());

test('Thirty healthy servers start and respond while a dozen others hang, crash and break the protocol', async () => {
  // Use a short timeout only for servers that hang. On a busy machine, the others need time to crash.
  const tuningOf = (name: string) => ({ probeTimeoutMs: 300, startTimeoutMs: name.includes('hang') ? 1_500 : 20_000 });
  const bad = {
    'hang-at-initialize': 'SERVER_TIMEOUT',
    'crash-at-start': 'SERVER_CRASHED',
    'crash-at-initialize': 'SERVER_CRASHED',
    'refuse-initialize': 'SERVER_PROTOCOL_ERROR',
    'hang-at-initialize,banner,garbage,ignore-sigterm': 'SERVER_TIMEOUT',
  } as const;
  const badPaths = {
    '/status/401': 'SERVER_AUTH_REQUIRED',
    '/status/404': 'SERVER_HTTP_ERROR',
    '/status/429': 'SERVER_HTTP_ERROR',
    '/status/500': 'SERVER_HTTP_ERROR',
    '/redirect-away': 'SERVER_HTTP_ERROR',
    '/hang': 'SERVER_TIMEOUT',
    '/html': 'SERVER_PROTOCOL_ERROR',
  } as const;
  const badOnes = [
    ...Object.entries(bad).map(([behaviour, code]) => ({
      code,
      ...tryServer(commands.misbehaving(behaviour), { tuning: tuningOf(behaviour) }),
    })),
    ...Object.entries(badPaths).map(([path, code]) => ({
      code,
      ...tryServer(http.url(path), { tuning: tuningOf(path) }),
    })),
  ];
  const oddButGood = [
    'slow-start',
    'banner,garbage',
    'storm',
    'schema-bomb',
    'duplicate-names,bad-tools',
    'exit-on-unknown',
    'hang-on-unknown',
    'loop-pages',
  ];
  const goodOnes = [
    ...Array.from({ length: 20 }, () => tryServer(commands.misbehaving(), { tuning: { startTimeoutMs: 20_000 } })),
    ...oddButGood.map((behaviour) =>
      tryServer(commands.misbehaving(behaviour), { tuning: { startTimeoutMs: 20_000 } }),
    ),
    tryServer(commands.content(), { tuning: { startTimeoutMs: 20_000 } }),
    tryServer(commands.modernOnly(), { tuning: { startTimeoutMs: 20_000 } }),
  ];
  expect(goodOnes.length).toBe(30);

  const failures = Promise.all(
    badOnes.map(async ({ handle, code }) => [code, await failureOf(handle.start())] as const),
  );
  const limit = pLimit(3);
  await Promise.all(goodOnes.map(({ handle }) => limit(() => handle.start())));
  const ask = () =>
    Promise.all(
      goodOnes.map(async ({ call, handle }) => {
        const isEcho = handle.state.era === 'legacy' && textOf(await call('echo', { text: 'hi' })) === 'hi';
        return isEcho || (await call('text')).content !== undefined;
      }),
    );
  expect(await ask()).toEqual(goodOnes.map(() => true));
  for (const [code, failure] of await failures) {
    expect(failure.code).toBe(code);
    expect(failure.message.length).toBeGreaterThan(20);
  }
  for (const { handle, code } of badOnes) expect(handle.state).toMatchObject({ status: 'failed', failure: { code } });
  expect(await ask()).toEqual(goodOnes.map(() => true));
});

test('A server that misbehaves only when listed or called does not affect other servers', async () => {
  const hanging = tryServer(commands.misbehaving('hang-at-list,hang-at-call'));
  const crashing = tryServer(commands.misbehaving('crash-at-list'));
  const good = tryServer(commands.misbehaving());
  await Promise.all([hanging, crashing, good].map(({ handle }) => handle.start()));
  const list = { method: 'tools/list', timeoutMs: 300 };
  const [silence, crash, listed] = await Promise.all([
    failureOf(hanging.handle.request(list)),
    failureOf(crashing.handle.request(list)),
    good.handle.request(list),
  ]);
  expect(silence.code).toBe('SERVER_TIMEOUT');
  expect(crash.code).toBe('SERVER_CRASHED');
  expect((listed.tools as unknown[]).length).toBe(6);
  expect(hanging.handle.state.status).toBe('ready');
});

test('Five thousand tools arrive in pages, and the caller can stop an endless cursor', async () => {
  const { handle } = tryServer(commands.misbehaving('many-tools'));
  const names = new Set<string>();
  let cursor: unknown;
  do {
    const page = await handle.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } });
    for (const tool of page.tools as { name: string }[]) names.add(tool.name);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(names.size).toBe(5000);
});
