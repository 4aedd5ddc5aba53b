/** Questions of a server during a call over HTTP reach the client in the response to that call. */
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { type SingleServerServices, singleServerServices } from '../../fixtures/single-server-services.ts';
import { openClient } from './clients.ts';
import { startGateway } from './harness.ts';
import { openSession } from './http-peer.ts';

type Json = Record<string, unknown>;
let services: SingleServerServices;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  services = await singleServerServices(commands.elicit(), { server: 'asks' });
  gateway = await startGateway(services);
});
afterAll(async () => {
  await gateway.close();
  services.close();
});

const run = (tool: string) => ({ server: 'asks', tool, arguments: {} });

test.each(['v1', 'v2 auto', 'v2 pinned to 2026-07-28'] as const)(
  'The client can answer every kind of question: %s',
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

test('The question arrives as an event of the call, and the answer is a separate POST', async () => {
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

test('Cancelling a call withdraws its question', async () => {
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
