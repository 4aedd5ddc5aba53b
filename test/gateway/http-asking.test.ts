/** What a server asks in the middle of a call over HTTP reaches the client in the answer to that very call. */
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { openClient } from './clients.ts';
import { startGateway } from './harness.ts';
import { openSession } from './http-peer.ts';
import { type SmallBackend, smallBackend } from './small-backend.ts';

type Json = Record<string, unknown>;
let backend: SmallBackend;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  backend = await smallBackend(commands.elicit(), { server: 'asks' });
  gateway = await startGateway(backend);
});
afterAll(async () => {
  await gateway.close();
  backend.close();
});

const run = (tool: string) => ({ server: 'asks', tool, arguments: {} });

test.each(['v1', 'v2 auto', 'v2 pinned to 2026-07-28'] as const)(
  'the client answers, as often as it is asked: %s (N3)',
  async (kind) => {
    const asked: unknown[] = [];
    const client = await openClient(kind, 'http', gateway, {
      onElicit({ message }) {
        asked.push(message);
        return { action: 'accept', content: asked.length === 1 ? { a: 'one' } : { b: 'two' } };
      },
    });
    const result = await client.call('execute_tool', run('twice'));
    expect(asked).toEqual(['First?', 'Second?']);
    expect(JSON.stringify(result)).toContain('two');
    await client.close();
  },
);

test('the question comes as an event of the call, the answer by a POST of its own', async () => {
  const peer = await openSession(gateway.url, gateway.token, { elicitation: { form: {} } });
  const params = { name: 'execute_tool', arguments: run('confirm') };
  const answer = await peer.open({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params });
  expect(answer.headers['content-type']).toBe('text/event-stream');
  const messages: Json[] = [];
  for await (const line of createInterface({ input: answer })) {
    if (!line.startsWith('data: ')) continue;
    const message = JSON.parse(line.slice('data: '.length)) as Json;
    messages.push(message);
    if (message.method !== 'elicitation/create') continue;
    const result = { action: 'accept', content: { confirm: true } };
    expect((await peer.post({ jsonrpc: '2.0', id: message.id, result })).status).toBe(202);
  }
  expect(messages).toMatchObject([
    { method: 'elicitation/create', params: { message: 'Delete the branch?' } },
    { id: 'call', result: { content: [{ text: expect.stringContaining('"confirm":true') }] } },
  ]);
});

test('a call that is cancelled while it asks takes its question back', async () => {
  const peer = await openSession(gateway.url, gateway.token, { elicitation: { form: {} } });
  const params = { name: 'execute_tool', arguments: run('confirm') };
  const answer = await peer.open({ jsonrpc: '2.0', id: 4, method: 'tools/call', params });
  const methods: unknown[] = [];
  for await (const line of createInterface({ input: answer })) {
    if (!line.startsWith('data: ')) continue;
    methods.push((JSON.parse(line.slice('data: '.length)) as Json).method);
    await peer.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } });
  }
  expect(methods[0]).toBe('elicitation/create');
  expect(methods).not.toContain(undefined);
});
