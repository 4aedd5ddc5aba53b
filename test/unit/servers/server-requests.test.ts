/** Requests that a server sends to its client, many at once. */
import type { Transport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { JsonRpcPeer } from '../../../electron/core/servers/connection/json-rpc-peer.ts';
import { createServerRequests } from '../../../electron/core/servers/connection/server-requests.ts';
import { limits } from '../../../shared/limits.ts';

function start() {
  const sent: { id?: unknown; error?: unknown }[] = [];
  const asked: { answer(): void }[] = [];
  const requests = createServerRequests({
    transport: { send: async (message: object) => void sent.push(message) } as Transport,
    onRequestOutsideCalls: () => new Promise((resolve) => asked.push({ answer: () => resolve({}) })),
    findOwningCall: () => undefined,
  });
  return { sent, asked, requests };
}

it('Of a burst of questions, 50 are asked, ten are refused, and the rest are ignored', async () => {
  const { sent, asked, requests } = start();
  for (let id = 0; id < 10_000; id += 1) requests.answer(id, 'elicitation/create', {});
  expect(asked).toHaveLength(limits.server.openRequests);
  await expect.poll(() => sent).toHaveLength(10);
  expect(sent.every(({ error }) => error !== undefined)).toBe(true);
  for (const { answer } of asked) answer();
  await expect.poll(() => sent).toHaveLength(limits.server.openRequests + 10);
  requests.answer('next', 'elicitation/create', {});
  expect(asked).toHaveLength(limits.server.openRequests + 1);
});

it('A request with the ID of an open one is ignored', () => {
  const { asked, requests } = start();
  for (let count = 0; count < 1_000; count += 1) requests.answer('same', 'elicitation/create', {});
  expect(asked).toHaveLength(1);
});

it('The end of a call ends its open requests, and those that were answered are forgotten by then', async () => {
  const transport = { send: async () => undefined } as unknown as Transport;
  const ignored = () => undefined;
  const peer = new JsonRpcPeer(transport, {
    ...{ server: 'a', onNotification: ignored, onServerRequest: undefined, onClose: ignored, onError: ignored },
    ...{ closeReason: ignored, explain: (error) => error as Error },
  });
  const signals: AbortSignal[] = [];
  const call = peer.request({
    method: 'tools/call',
    timeoutMs: 10_000,
    async onServerRequest({ params }, signal) {
      signals.push(signal);
      if (params.stays) await new Promise(ignored);
      return {};
    },
  });
  const send = (message: object) => transport.onmessage?.({ jsonrpc: '2.0', ...message } as never);
  send({ id: 'answered', method: 'roots/list', params: {} });
  send({ id: 'open', method: 'roots/list', params: { stays: true } });
  await new Promise(setImmediate);
  send({ id: 1, result: {} });
  expect(await call).toEqual({});
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
