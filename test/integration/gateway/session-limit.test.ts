/** The limit of HTTP sessions, which all tokens share. */
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { singleServerServices } from '../../fixtures/single-server-services.ts';
import { startGateway } from './harness.ts';
import { openSession } from './http-peer.ts';

test('A client that opens too many sessions ends its own oldest one, not the session of another client', async () => {
  const services = await singleServerServices(commands.elicit(), { server: 'asks' });
  const gateway = await startGateway(services, {
    tokens: { authorize: (token) => ({ id: token, name: token }), onRevoked: () => () => undefined },
  });
  onTestFinished(async () => {
    await gateway.close();
    services.close();
  });
  const quiet = await openSession(gateway.url, 'quiet');
  const first = await openSession(gateway.url, 'busy');
  for (let count = 0; count < 200; count += 1) await openSession(gateway.url, 'busy');
  const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };
  expect((await first.post(ping)).status).toBe(404);
  expect((await quiet.post(ping)).status).toBe(200);
});
