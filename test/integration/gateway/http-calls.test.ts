/** Tool calls over HTTP bypass the SDK: the client receives the response that the specification requires, only faster. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { Server } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { results } from '../../fixtures/content.ts';
import { type SingleServerServices, singleServerServices } from '../../fixtures/single-server-services.ts';
import { startGateway } from './harness.ts';
import { answerOf, eventsOf, type HttpPeer, httpPeer, openSession, textOf } from './http-peer.ts';

type Json = Record<string, unknown>;
let services: SingleServerServices;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let peer: HttpPeer;

beforeAll(async () => {
  services = await singleServerServices(commands.content(), { server: 'content' });
  gateway = await startGateway(services);
  peer = await openSession(gateway.url, gateway.token);
});
afterAll(async () => {
  await gateway.close();
  services.close();
});
afterEach(() => void vi.useRealTimers());

const call = (id: unknown, tool: string, args: Json = {}, meta?: Json) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: {
    name: 'execute_tool',
    arguments: { server: 'content', tool, arguments: args },
    ...(meta && { _meta: meta }),
  },
});

/** The JSON that a tool returns as text. */
async function told(tool: string) {
  const { result } = answerOf(await peer.post(call(tool, tool))) as { result: { content: [{ text: string }] } };
  return JSON.parse(result.content[0].text);
}
const cancelledCalls = async (): Promise<number> => (await told('cancelled')).length;

describe('The response', () => {
  test('is plain JSON if no message precedes it', async () => {
    const { status, headers, body } = await peer.post(call(1, 'everything'));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['mcp-session-id']).toBe(peer.session);
    expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id: 1, result: results.everything });
  });

  test('is an event stream after the first progress notification', async () => {
    const { status, headers, body } = await peer.post(call('p', 'slow', { ms: 60, steps: 3 }, { progressToken: 'x' }));
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/event-stream');
    expect(headers['mcp-session-id']).toBe(peer.session);
    const messages = eventsOf(body);
    expect(messages.slice(0, -1).map(({ method, params }) => [method, (params as Json).progressToken])).toEqual([
      ['notifications/progress', 'x'],
      ['notifications/progress', 'x'],
      ['notifications/progress', 'x'],
    ]);
    expect(messages.at(-1)).toMatchObject({ id: 'p', result: { content: [{ text: '"done"' }] } });
  });

  test('starts as an event stream before the result of a long call is available', async () => {
    const answer = await peer.open(call(2, 'slow', { ms: 20_000, steps: 400 }));
    expect(answer.headers['content-type']).toBe('text/event-stream');
    await peer.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
    expect(eventsOf(await textOf(answer))).toEqual([]);
  });

  test('for a protocol error has the standard code and status', async () => {
    const unknown = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'no_such_tool' } };
    const { status, body } = await peer.post(unknown);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32602, message: 'Unknown tool: no_such_tool' },
    });
  });
});

test('Fifty concurrent calls each get their own response', async () => {
  const tools = Object.keys(results);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => peer.post(call(`at-${at}`, tools[at % tools.length] as string))),
  );
  for (const [at, answer] of answers.entries()) {
    expect(answerOf(answer)).toEqual({
      jsonrpc: '2.0',
      id: `at-${at}`,
      result: results[tools[at % tools.length] as string],
    });
  }
});

describe('A cancellation by another POST', () => {
  test('A cancellation reaches the server, ends the response without a result, and frees the id', async () => {
    const before = await cancelledCalls();
    const answer = peer.post(call(7, 'slow', { ms: 20_000, steps: 400 }, { progressToken: 7 }));
    await vi.waitFor(async () => expect(services.peer.received.at(-1)?.method).toBe('notifications/progress'));
    const { status } = await peer.post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7, reason: 'enough' },
    });
    expect(status).toBe(202);
    const messages = eventsOf((await answer).body);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter(({ method }) => method !== 'notifications/progress')).toEqual([]);
    await expect.poll(cancelledCalls).toBe(before + 1);
    expect(answerOf(await peer.post(call(7, 'text'))).result).toEqual(results.text);
  });

  test('for another session cancels nothing', async () => {
    const other = await openSession(gateway.url, gateway.token);
    const answer = peer.post(call(8, 'slow', { ms: 300, steps: 2 }));
    await other.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } });
    expect(answerOf(await answer)).toMatchObject({ result: { content: [{ text: '"done"' }] } });
  });
});

test('A client that disconnects does not cancel its call, and its session continues', async () => {
  const before = await cancelledCalls();
  const answer = await peer.open(call(9, 'slow', { ms: 400, steps: 4 }, { progressToken: 9 }));
  answer.destroy();
  const last = () => services.peer.received.findLast(({ method }) => method === 'notifications/progress')?.params;
  await vi.waitFor(() => expect(last()).toMatchObject({ progress: 4 }));
  expect(await cancelledCalls()).toBe(before);
});

test('The end of a session ends its calls', async () => {
  const other = await openSession(gateway.url, gateway.token);
  const before = await cancelledCalls();
  const answer = other.post(call(1, 'slow', { ms: 20_000, steps: 400 }, { progressToken: 1 }));
  await vi.waitFor(async () => expect(services.peer.received.at(-1)?.method).toBe('notifications/progress'));
  const gone = request(gateway.url, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${gateway.token}`, 'mcp-session-id': other.session },
  }).end();
  await once(gone, 'response');
  expect(eventsOf((await answer).body).some(({ result }) => result)).toBe(false);
  await expect.poll(cancelledCalls).toBe(before + 1);
  expect((await other.post(call(2, 'text'))).status).toBe(404);
});

test('A session with a call in flight does not expire, and an idle one does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const other = await openSession(gateway.url, gateway.token);
  const answer = await other.open(call(1, 'slow', { ms: 300, steps: 3 }, { progressToken: 1 }));
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(eventsOf(await textOf(answer)).at(-1)).toMatchObject({ id: 1, result: {} });
  expect((await other.post(call(2, 'text'))).status).toBe(200);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect((await other.post(call(3, 'text'))).status).toBe(200);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect((await other.post(call(4, 'text'))).status).toBe(404);
});

/** The SDK's own server, with the response to a correct request. */
async function reference(): Promise<HttpPeer & { close(): void }> {
  const server = new Server({ name: 'reference', version: '1' }, { capabilities: { tools: {} } });
  server.fallbackRequestHandler = async () => results.text ?? {};
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => 'of-the-reference' });
  await server.connect(transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  return Object.assign(await openSession(url, ''), { close: () => void http.close() });
}

describe('A request that the SDK refuses', () => {
  let sdk: Awaited<ReturnType<typeof reference>>;
  beforeAll(async () => {
    sdk = await reference();
  });
  afterAll(() => sdk.close());

  const right = call(1, 'text');
  const { params: _, ...bare } = right;
  const cases: Record<string, { body?: unknown; headers?: Record<string, string | undefined>; status: number }> = {
    'a right request': { status: 200 },
    'JSON with a character set': { headers: { 'content-type': 'Application/JSON; charset=utf-8' }, status: 200 },
    'an old version': { headers: { 'mcp-protocol-version': '2024-11-05' }, status: 200 },
    'no version': { headers: { 'mcp-protocol-version': undefined }, status: 200 },
    'a byte order mark': { body: `\ufeff${JSON.stringify(right)}`, status: 200 },
    'a progress token': { body: call(1, 'text', {}, { progressToken: 5 }), status: 200 },
    'an unknown version': { headers: { 'mcp-protocol-version': '1999-01-01' }, status: 400 },
    'a client that takes no events': { headers: { accept: 'application/json' }, status: 406 },
    'a client that takes only events': { headers: { accept: 'text/event-stream' }, status: 406 },
    'plain text': { headers: { 'content-type': 'text/plain' }, status: 415 },
    'plain text that names JSON': { headers: { 'content-type': 'text/plain; a=application/json' }, status: 415 },
    'no content type': { headers: { 'content-type': undefined }, status: 415 },
  };
  // If both eras are served, the SDK's entry point checks these before its transport does.
  const shapes: Record<string, unknown> = {
    'an id that is null': call(null, 'text'),
    'an id with a fraction': call(1.5, 'text'),
    'a member that JSON-RPC does not know': { ...right, extra: 1 },
    'another JSON-RPC': { ...right, jsonrpc: '1.0' },
    'parameters in a row': { ...bare, params: ['execute_tool'] },
    'a progress token that is an object': call(1, 'text', {}, { progressToken: {} }),
  };

  for (const [what, { body = right, headers, status }] of Object.entries(cases)) {
    test(`${what}: ${status}`, async () => {
      const [ours, theirs] = [await peer.post(body, headers), await sdk.post(body, headers)];
      expect(theirs.status).toBe(status);
      expect(ours.status).toBe(status);
      if (status === 200) expect(answerOf(ours)).toEqual(answerOf(theirs));
      else expect(JSON.parse(ours.body)).toEqual(JSON.parse(theirs.body));
    });
  }

  for (const [what, body] of Object.entries(shapes)) {
    test(`${what}: 400`, async () => {
      const before = await told('counter');
      const [ours, theirs] = [await peer.post(body), await sdk.post(body)];
      expect([ours.status, theirs.status]).toEqual([400, 400]);
      expect(JSON.parse(ours.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
      expect((await told('counter')).text).toBe(before.text);
    });
  }
});

test('The SDK handles a call without a valid session of its era', async () => {
  const bare = httpPeer(gateway.url, gateway.token);
  expect((await bare.post(call(1, 'text'), { 'mcp-session-id': 'unknown' })).status).toBe(404);
  expect((await peer.post(call(1, 'text'), { 'mcp-protocol-version': '2026-07-28' })).status).toBe(400);
  const claims = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  expect((await peer.post(call(1, 'text', {}, claims))).status).toBe(400);
  expect((await peer.post(call(1, 'text'), { authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await peer.post(call(1, 'text'), { host: 'evil.example' })).status).toBe(403);
  expect((await peer.post(call(1, 'text'), { origin: 'https://evil.example' })).status).toBe(403);
  expect((await peer.post(call(1, 'text'), { 'toolkeep-profile': 'missing' })).status).toBe(404);
});

test('A list or a call without a session is answered as one stateless request', async () => {
  const bare = httpPeer(gateway.url, gateway.token);
  for (const accept of ['*/*', undefined]) {
    const listed = answerOf(await bare.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept }));
    expect(JSON.stringify(listed.result)).toContain('execute_tool');
    expect(answerOf(await bare.post(call(2, 'text'), { accept })).result).toMatchObject(results.text as object);
    expect((await peer.post(call(3, 'text'), { accept })).status).toBe(200);
  }
  expect((await bare.post({ jsonrpc: '2.0', id: 1, method: 'prompts/list' })).status).toBe(400);
});

test('A request body that is too long is refused before it is read', async () => {
  const post = request(gateway.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-length': 64 * 1024 * 1024 + 1 },
  });
  post.on('error', () => undefined);
  post.flushHeaders();
  const [answer] = await once(post, 'response');
  expect(answer.statusCode).toBe(413);
  expect(JSON.parse(await textOf(answer)).error).toEqual({
    code: -32000,
    message: 'The request body exceeds 67108864 bytes.',
  });
  post.destroy();
});

test('A request body of several megabytes is accepted, with and without the SDK', async () => {
  const long = { text: 'x'.repeat(5_000_000) };
  expect(answerOf(await peer.post(call(1, 'text', long)))).toEqual({ jsonrpc: '2.0', id: 1, result: results.text });
  expect(answerOf(await peer.post([call(2, 'text', long)]))).toEqual({ jsonrpc: '2.0', id: 2, result: results.text });
});

test('A client that disconnects during its message leaves no state', async () => {
  const headers = { authorization: `Bearer ${gateway.token}`, 'mcp-session-id': peer.session, 'content-length': 1000 };
  const post = request(gateway.url, { method: 'POST', headers });
  const failed = once(post, 'error');
  post.write('{"jsonrpc":"2.0"');
  await new Promise((resolve) => setTimeout(resolve, 50));
  post.destroy(new Error('gone'));
  await failed;
  expect((await peer.post(call(1, 'text'))).status).toBe(200);
});

test('Batches from legacy clients are answered', async () => {
  const { headers, body } = await peer.post([call('a', 'text'), call('b', 'error')], {
    'mcp-protocol-version': '2025-03-26',
  });
  expect(headers['content-type']).toBe('text/event-stream');
  expect(
    eventsOf(body)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['a', 'b']);
});

const half = Buffer.alloc(64 * 1024 * 1024 - 1, 'x');
/** A request without the last byte of its body. */
function open(part = half) {
  const post = request(gateway.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-length': part.length + 1 },
  });
  post.on('error', () => undefined);
  const answered = once(post, 'response');
  post.write(part);
  return { post, answered };
}
/** Resolves when a request is accepted. */
const accepted = () =>
  vi.waitFor(
    async () => {
      const { post, answered } = open();
      post.end('x');
      expect((await answered)[0].statusCode).toBe(400);
    },
    { timeout: 60_000 },
  );

test('Request bodies that hold more than 128 MB together are refused, and leave room when they end', {
  timeout: 120_000,
}, async () => {
  const posts = [open(), open(), open()];
  const [answer] = await Promise.race(posts.map(({ answered }) => answered));
  expect(answer.statusCode).toBe(429);
  expect(await textOf(answer)).toContain('hold more than 134217728 bytes');
  for (const { post } of posts) post.destroy();
  await accepted();
});

test('A running call holds its arguments', { timeout: 120_000 }, async () => {
  const pad = 'x'.repeat(5_000_000);
  const running = await Promise.all(
    Array.from({ length: 26 }, (_, at) => peer.open(call(`held ${at}`, 'slow', { ms: 100_000, pad }))),
  );
  // Refused near the end: a client that still writes would not read the answer.
  expect((await open(half.subarray(0, 5_000_000)).answered)[0].statusCode).toBe(429);
  for (const answer of running) answer.destroy();
  await accepted();
});

test('A client that says too much about itself gets no session', async () => {
  const clientInfo = { name: 'x'.repeat(100_000), version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { status, body } = await httpPeer(gateway.url, gateway.token).post({
    ...{ jsonrpc: '2.0', id: 0, method: 'initialize', params },
  });
  expect([status, body]).toEqual([413, expect.stringContaining('at most 65536 bytes')]);
});
