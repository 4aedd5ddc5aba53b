/** The ports on which Toolkeep itself listens, as the proxy of confined servers knows them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { expect, test } from 'vitest';
import { isOwnAddress } from '../../../electron/core/servers/sandbox/own-ports.ts';

const addresses = ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'];

test('An own port is known in every spelling of its address, from the first moment until it is closed', async () => {
  for (const server of [createServer(), createSocketServer()]) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(addresses.filter((address) => !isOwnAddress(address, port))).toEqual([]);
    expect(isOwnAddress('192.0.2.1', port)).toBe(false);
    await new Promise((closed) => server.close(closed));
    expect(addresses.filter((address) => isOwnAddress(address, port))).toEqual([]);
  }
});

test('A flood of connections to other ports costs next to nothing', () => {
  const start = performance.now();
  for (let count = 0; count < 20_000; count += 1) isOwnAddress(addresses[count % 6] ?? '', 20_000 + (count % 100));
  expect(performance.now() - start).toBeLessThan(500);
});
