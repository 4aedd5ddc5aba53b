/** Servers over HTTP: both transports, both eras, and the message of each failure. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfSigned } from '../../fixtures/certificate.ts';
import { contentTools, newContentState, results } from '../../fixtures/content.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { type HttpFixture, startHttpFixture } from '../../fixtures/http-server.ts';
import { failureOf, textOf, tryServer } from './server-harness.ts';

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpFixture();
});
afterAll(() => http.close());

const requestsTo = (path: string) => http.requests.filter((request) => request.path === path);

test.each([
  ['/legacy', 'legacy'],
  ['/get-405', 'legacy'],
  ['/sse', 'legacy'],
  ['/modern', 'modern'],
  ['/dual', 'modern'],
  ['/trickle', 'legacy'],
] as const)('%s: connects in the %s era and forwards the raw result', async (path, era) => {
  const { handle, call } = tryServer(http.url(path));
  expect((await handle.start()).era).toBe(era);
  const { _meta, ...text } = await call('text');
  expect(text).toEqual(results.text);
});

test.each(['/legacy', '/modern', '/sse'])(
  '%s: forwards every kind of content and every unknown field',
  async (path) => {
    const { handle, call } = tryServer(http.url(path));
    for (const [name, result] of Object.entries(results)) {
      const { _meta, ...rest } = await call(name);
      const { _meta: expectedMeta = {}, ...expected } = result;
      expect(rest, name).toEqual(expected);
      if (result._meta) expect(_meta, name).toMatchObject(expectedMeta as object);
    }
    const listed = (await handle.request({ method: 'tools/list' })).tools as unknown[];
    expect(listed.slice(0, contentTools(newContentState()).length)).toEqual(contentTools(newContentState()));
  },
);

test('The era is remembered, and the next start does not probe it again', async () => {
  const host = testHost();
  const first = tryServer(http.url('/legacy'), { host });
  await first.handle.start();
  await first.handle.stop();
  const before = requestsTo('/legacy').length;
  const second = tryServer(http.url('/legacy'), { host });
  await second.handle.start();
  // initialize, initialized, and the stream for notifications, which opens a moment later
  expect(
    requestsTo('/legacy')
      .slice(before)
      .filter((request) => request.method === 'POST').length,
  ).toBe(2);
});

test.each([
  ['/status/401', 'SERVER_AUTH_REQUIRED', '401'],
  ['/status/403', 'SERVER_AUTH_REQUIRED', '403'],
  ['/status/404', 'SERVER_HTTP_ERROR', '404'],
  ['/status/429', 'SERVER_HTTP_ERROR', '429'],
  ['/status/500', 'SERVER_HTTP_ERROR', '500'],
  ['/html', 'SERVER_PROTOCOL_ERROR', 'text/html'],
  ['/hang', 'SERVER_TIMEOUT', 'initialize'],
] as const)('%s ends as %s with a message that names it', async (path, code, word) => {
  const { handle } = tryServer(http.url(path), {
    tuning: path === '/hang' ? { startTimeoutMs: 300, probeTimeoutMs: 150 } : {},
  });
  const failure = await failureOf(handle.start());
  expect(failure).toMatchObject({ code, server: 'trial' });
  expect(failure.message).toContain(word);
  expect(handle.state).toMatchObject({ status: 'failed', phase: 'session', failure: { code } });
});

test('A request that the server rejects with 401 is sent only once', async () => {
  const before = requestsTo('/status/401').length;
  await failureOf(tryServer(http.url('/status/401')).handle.start());
  expect(requestsTo('/status/401').length).toBe(before + 1);
});

test('The configured headers are sent to the server, but never to the target of a redirect', async () => {
  const server = {
    connection: { type: 'http' as const, url: http.url('/auth'), headers: { Authorization: 'Bearer good' } },
  };
  const allowed = tryServer(http.url('/auth'), { server });
  expect((await allowed.handle.start()).era).toBe('modern');
  expect((await allowed.call('text')).content).toEqual(results.text?.content);
  expect(await failureOf(tryServer(http.url('/auth')).handle.start())).toMatchObject({
    code: 'SERVER_AUTH_REQUIRED',
  });

  const before = requestsTo('/legacy').length;
  const away = tryServer(http.url('/redirect-away'), {
    server: {
      connection: { type: 'http', url: http.url('/redirect-away'), headers: { Authorization: 'Bearer good' } },
    },
  });
  const failure = await failureOf(away.handle.start());
  expect(failure.code).toBe('SERVER_HTTP_ERROR');
  expect(failure.message).toContain('http://localhost:');
  expect(requestsTo('/legacy').length).toBe(before);
});

test('A redirect within the same origin is followed', async () => {
  expect((await tryServer(http.url('/redirect-here')).handle.start()).serverInfo?.name).toBe('content-v1');
});

test('The failure says that no process listens at the address', async () => {
  const gone = await startHttpFixture();
  await gone.close();
  const failure = await failureOf(tryServer(gone.url('/legacy')).handle.start());
  expect(failure.code).toBe('SERVER_UNREACHABLE');
  expect(failure.message).toContain('connection refused');
});

test('The failure names an untrusted certificate, and plain HTTP instead of TLS', { tags: ['openssl'] }, async () => {
  const secure = await startHttpFixture({ tls: selfSigned() });
  const untrusted = await failureOf(tryServer(secure.url('/dual')).handle.start());
  const plain = await failureOf(tryServer(http.url('/dual').replace('http:', 'https:')).handle.start());
  await secure.close();
  expect(untrusted).toMatchObject({ code: 'SERVER_UNREACHABLE', message: expect.stringContaining('certificate') });
  expect(plain).toMatchObject({ code: 'SERVER_UNREACHABLE', message: expect.stringContaining('TLS') });
});

test.each([
  ['not a url', 'not a url'],
  ['ftp://example.com/x', 'ftp://example.com/x'],
])('An address such as %s fails in the configuration phase', async (url, word) => {
  const { handle } = tryServer(url);
  const failure = await failureOf(handle.start());
  expect(failure).toMatchObject({ code: 'CONFIG_INVALID', path: 'connection.url' });
  expect(failure.message).toContain(word);
  expect(handle.state.phase).toBe('configuration');
});

test('An invalid header is reported without its value', async () => {
  const server = {
    connection: { type: 'http' as const, url: http.url('/dual'), headers: { 'X-Key': 'secret-1234\nX-Other: 5' } },
  };
  const { handle, host } = tryServer('unused', { server });
  const failure = await failureOf(handle.start());
  expect(failure).toMatchObject({ code: 'CONFIG_INVALID', path: 'connection.headers.X-Key' });
  expect(JSON.stringify([failure, handle.state, host.logged])).not.toContain('secret-1234');
});

test('A stream that is interrupted ends the call, and the next call works', async () => {
  const { handle, call } = tryServer(http.url('/drop'));
  expect(await failureOf(call('text'))).toMatchObject({ code: 'SERVER_UNREACHABLE' });
  expect((await handle.request({ method: 'tools/list' })).tools).toBeInstanceOf(Array);
});

test.each(['/legacy', '/modern'])('%s: a cancelled call reaches the server and is cancelled there', async (path) => {
  const { handle } = tryServer(http.url(path));
  await handle.start();
  const before = http.state.cancelled.length;
  const controller = new AbortController();
  const running = handle.request({
    method: 'tools/call',
    params: { name: 'slow', arguments: { ms: 2_000, steps: 100 } },
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect((await failureOf(running)).code).toBe('CANCELLED');
  await eventually(() => http.state.cancelled.length > before, 'the cancellation');
});

test('A server that lost the session gets a new one, and the call runs once', async () => {
  const { handle, call } = tryServer(http.url('/legacy'));
  await handle.start();
  const before = http.state.ran.text ?? 0;
  http.forgetSessions();
  expect(await call('text')).toEqual(results.text);
  expect(http.state.ran.text).toBe(before + 1);
  expect(handle.state).toMatchObject({ status: 'ready', restarts: 1 });
});

test('Stopping a server ends its session', async () => {
  const { handle } = tryServer(http.url('/legacy'));
  const before = http.sessions();
  await handle.start();
  expect(http.sessions()).toBe(before + 1);
  await handle.stop();
  expect(http.sessions()).toBe(before);
});

test('An unreachable server is shown as failed, and works again once it is reachable', async () => {
  const own = await startHttpFixture();
  const { handle, call } = tryServer(own.url('/dual'));
  await call('text');
  const port = Number(new URL(own.origin).port);
  await own.close();
  expect((await failureOf(call('text'))).code).toBe('SERVER_UNREACHABLE');
  expect(handle.state).toMatchObject({ status: 'failed', failure: { code: 'SERVER_UNREACHABLE' } });
  const again = await startHttpFixture({ port });
  expect((await call('text')).content).toEqual(results.text?.content);
  await again.close();
});

test('The old SSE transport starts again after its stream was interrupted', async () => {
  const own = await startHttpFixture();
  const { handle, call } = tryServer(own.url('/sse'), {
    server: { connection: { type: 'sse', url: own.url('/sse'), headers: {} } },
  });
  expect(await call('text')).toEqual(results.text);
  own.cutConnections();
  await eventually(() => handle.state.status === 'failed', 'the loss to be noticed');
  expect(await call('text')).toEqual(results.text);
  await handle.stop();
  await own.close();
});

test.each(['/legacy', '/modern'])('%s: reports list changes, even after the stream was interrupted', async (path) => {
  const own = await startHttpFixture();
  const { handle, notes } = tryServer(own.url(path));
  await handle.start();
  const changes = () => notes.filter((note) => note.method === 'notifications/tools/list_changed').length;
  const growUntilTold = async () => {
    const before = changes();
    // The stream opens shortly after the start or the interruption; a change before that is not sent.
    for (let tries = 0; tries < 100 && changes() === before; tries++) {
      await own.grow();
      await sleep(50);
    }
    expect(changes()).toBeGreaterThan(before);
  };
  await growUntilTold();
  own.cutConnections();
  await growUntilTold();
  await handle.stop();
  await own.close();
});

test('Questions over HTTP reach the call and are answered', async () => {
  const { handle } = tryServer(http.url('/elicit'));
  const result = await handle.request({
    method: 'tools/call',
    params: { name: 'confirm' },
    onServerRequest: async () => ({ action: 'accept', content: { confirm: true } }),
  });
  expect(JSON.parse(textOf(result))).toEqual({ ok: { action: 'accept', content: { confirm: true } } });
});
