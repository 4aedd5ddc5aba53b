/** The refusals of an HTTP server that names other scopes each time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpTransport } from '../../../electron/core/servers/connection/http-transport.ts';
import { SignIns } from '../../../electron/core/servers/oauth/oauth.ts';
import type { Records } from '../../../electron/core/servers/oauth/records.ts';
import type { Renewal } from '../../../electron/core/servers/oauth/renewal.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';
import { testHost } from '../../fixtures/host.ts';

test.each([401, 403])('Hundreds of responses with HTTP %i do not slow down the next one', async (status) => {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    const scopes = Array.from({ length: 1_400 }, () => (count++).toString(36).padStart(9, 's')).join(' ');
    response.writeHead(status, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes}"` }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = testHost();
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    host.dispose();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const renewal: Renewal = { token: async () => 'a', renew: async () => true };
  const signIns = new SignIns(host, {} as Records, renewal);
  const transport = createHttpTransport(
    {
      server: 'evil',
      connection: { type: 'http', url, headers: {} },
      authorization: signIns.authorization({ server: 'evil', instance: 0 }, url),
      maxMessageBytes: 1_000_000,
    },
    'streamable',
  );
  await transport.start();
  onTestFinished(() => transport.close());
  const send = () => transport.send({ jsonrpc: '2.0', id: 1, result: {} }).catch(() => undefined);
  for (let i = 0; i < 150; i += 1) await send();
  const before = cpuMs();
  for (let i = 0; i < 10; i += 1) await send();
  expect(cpuMs() - before).toBeLessThan(400);
});
