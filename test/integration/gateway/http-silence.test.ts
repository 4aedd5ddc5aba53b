/** HTTP clients of MCP 2026-07-28 that stop sending requests. */
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { singleServerServices } from '../../fixtures/single-server-services.ts';
import { startGateway } from './harness.ts';
import { httpPeer } from './http-peer.ts';

afterEach(() => void vi.useRealTimers());

test('A client is connected while it listens, and for ten minutes afterwards', async () => {
  const services = await singleServerServices(commands.everything());
  const ended: string[] = [];
  const connected =
    ({ stated = '' }: { stated?: string }) =>
    () =>
      void ended.push(stated);
  const gateway = await startGateway({ ...services, clients: { ...services.clients, connected } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const params = {
    notifications: { resourceSubscriptions: ['demo://x'] },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
  const answer = await httpPeer(gateway.url, gateway.token).open(message, headers);
  await once(answer, 'data');
  vi.advanceTimersByTime(60 * 60_000);
  expect(ended).toEqual([]);
  answer.destroy();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  vi.advanceTimersByTime(10 * 60_000);
  expect(ended).toEqual(['listener']);
  vi.useRealTimers();
  await gateway.close();
  services.close();
});
