/** Sessions that a server has lost, under every name, and requests whose answers were lost. */
import { expect, test } from 'vitest';
import type { ServerHandle } from '../../../electron/core/servers/types.ts';
import { commands } from '../../fixtures/commands.ts';
import { type OddRequest, type Reply, startOddHttp } from '../../fixtures/odd-http.ts';
import { failureOf, tryServer } from './server-harness.ts';

const legacyOnly: Record<string, Reply> = { 'server/discover': ({ refuse }) => refuse(404) };
const rpcError = (message: string, code = -32000, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** A server that refuses requests outside its sessions with `refusal`. */
async function withSessions(refusal: Reply) {
  const server = await startOddHttp({
    ...legacyOnly,
    'tools/call': (request) =>
      server.sessions.has(String(request.headers['mcp-session-id'])) ? false : refusal(request),
  });
  return server;
}
const inA200 =
  (message: string, code: number): Reply =>
  ({ message: { id }, refuse }) =>
    refuse(200, rpcError(message, code, id));

const refusals: Record<string, Reply> = {
  '400 without a session ID': ({ refuse }) => refuse(400, rpcError('Bad Request: No valid session ID provided')),
  '400 with a text in another language': ({ refuse }) => refuse(400, rpcError('Ungültige Anfrage', -32600)),
  '400 with the id of no request': ({ refuse }) => refuse(400, rpcError('Bad', -32600, 'server-error')),
  '400 as plain text': ({ refuse }) => refuse(400, 'Invalid session ID'),
  '404': ({ refuse }) => refuse(404),
  '410': ({ refuse }) => refuse(410, 'gone'),
  '422 with a name in JSON': ({ refuse }) => refuse(422, { error: 'session_expired' }),
  '500 with a text': ({ refuse }) => refuse(500, 'Error: SessionNotFound'),
  'an error in a 200': inA200('Session not found', -32001),
  'an error that no handshake took place': inA200('Server not initialized', -32600),
};

test.each(Object.entries(refusals))(
  'A session lost with %s is renewed, and the call runs once',
  async (_name, refusal) => {
    const { url, sessions, runs } = await withSessions(refusal);
    const { handle, call } = tryServer(url);
    await call('get');
    sessions.clear();
    // Both calls meet the lost session.
    const texts = await Promise.all([call('add'), call('add')]);
    expect(texts.flatMap(({ content }) => content)).toHaveLength(2);
    expect(runs).toEqual(['get', 'add', 'add']);
    expect(handle.state.status).toBe('ready');
  },
);

test.each(Object.entries(refusals))('A new session that is refused with %s is a failure', async (_name, refusal) => {
  const { url, methods } = await startOddHttp({ ...legacyOnly, 'tools/call': refusal });
  const { handle, call } = tryServer(url);
  await expect(call('get')).rejects.toThrow();
  expect(handle.state).toMatchObject({ status: 'failed', restartsOnUse: true });
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(2);
});

test('After another client error in a session, the next call starts a new one; two in a row are a failure', async () => {
  let status = 409;
  const { url, methods } = await startOddHttp({
    ...legacyOnly,
    'tools/call': ({ refuse }) => (status === 200 ? false : refuse(status)),
  });
  const { handle, call } = tryServer(url);
  await expect(call('add')).rejects.toThrow('409');
  expect(handle.state.status).toBe('idle');
  status = 200;
  await call('add');
  expect(methods.filter((method) => method === 'initialize')).toHaveLength(2);
  status = 409;
  await expect(call('add')).rejects.toThrow('409');
  await expect(call('add')).rejects.toThrow('409');
  expect(handle.state.status).toBe('failed');
});

test.each<[string, Reply]>([
  ['an answer of this request', ({ message: { id }, refuse }) => refuse(400, rpcError('No such note', -32602, id))],
  ['an error of the tool about its own sessions', inA200('Unknown browser session 7', -32602)],
])('The session stays after %s', async (_name, refusal) => {
  const { url, methods } = await startOddHttp({ ...legacyOnly, 'tools/call': refusal });
  const { handle, call } = tryServer(url);
  await expect(call('get')).rejects.toThrow();
  await expect(call('get')).rejects.toThrow();
  expect(handle.state.status).toBe('ready');
  expect(methods.filter((method) => method === 'initialize')).toHaveLength(1);
});

test('Without a session, HTTP 404 is an answer, and nothing is sent twice', async () => {
  const { url, methods } = await startOddHttp({
    ...legacyOnly,
    initialize: ({ send }) => send({ protocolVersion: '2025-06-18', capabilities: { tools: {} } }),
    'tools/call': ({ refuse }) => refuse(404),
  });
  await expect(tryServer(url).call('add')).rejects.toThrow('404');
  expect(methods.filter((method) => method === 'tools/call')).toHaveLength(1);
});

const lostAnswers: Record<string, Reply> = {
  'a closed connection': ({ response }) => void response.destroy(),
  'an ended stream': ({ response }) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
  'HTTP 502': ({ refuse }) => refuse(502),
  'HTTP 500': ({ refuse }) => refuse(500),
  'a web page': ({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Oops</p>'),
  silence: () => {},
};
const call = (handle: ServerHandle, mayRepeat: boolean) =>
  handle.request({ method: 'tools/call', params: { name: 'add' }, mayRepeat, timeoutMs: 300 });

test.each(Object.entries(lostAnswers))(
  'After %s, the failure of a write says that it may have run',
  async (_name, lose) => {
    const { url, methods } = await startOddHttp({ 'tools/call': lose });
    const { handle } = tryServer(url);
    const failure = await failureOf(call(handle, false));
    expect(failure.hint).toBe('It may have run. Check its effect before you call it again.');
    expect(methods.filter((method) => method === 'tools/call')).toHaveLength(1);
    expect((await failureOf(call(handle, true))).hint ?? '').not.toContain('may have run');
  },
);

test('A write during which a local server ends or is stopped may have run', async () => {
  const crashing = tryServer(commands.misbehaving('crash-at-call'));
  expect((await failureOf(call(crashing.handle, false))).hint).toContain('It may have run.');
  const hanging = tryServer(commands.misbehaving('hang-at-call'));
  await hanging.handle.start();
  const stopped = failureOf(hanging.call('echo'));
  await hanging.handle.stop();
  expect((await stopped).hint).toContain('It may have run.');
});

test.each<[string, (request: OddRequest) => void]>([
  ['a refusal', ({ refuse }) => refuse(429)],
  ['a request that is not valid', ({ refuse, message: { id } }) => refuse(400, rpcError('no', -32602, id))],
])('A write did not run after %s', async (_name, refuse) => {
  const { url } = await startOddHttp({ 'tools/call': refuse });
  const failure = await failureOf(call(tryServer(url).handle, false)).catch(() => undefined);
  expect(failure?.hint ?? '').not.toContain('may have run');
});
