/** A gateway in the test's own process, reached by its real socket, its real HTTP endpoint and the real bridge. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway, type GatewayOptions } from '../../../electron/core/gateway/gateway.ts';
import { listenLocal } from '../../../electron/core/gateway/local-endpoint.ts';
import type { GatewayServices } from '../../../electron/core/gateway/services.ts';
import type { Wire } from '../../../shared/protocol/wire.ts';
import { type Command, compileCache } from '../../fixtures/commands.ts';

export const bridgeFile = join(import.meta.dirname, '../../../electron/bridge.ts');

/** The tokens of a test: one that permits everything. */
export const tokensOf = (token: string): GatewayOptions['tokens'] => ({
  authorize: (bearer) => (bearer === token ? { id: 'test', name: 'test' } : undefined),
  onRevoked: () => () => undefined,
});

export async function startGateway(
  services: GatewayServices,
  options: Partial<GatewayOptions> & { onRpc?(wire: Wire): void } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-gw-'));
  const token = 'the-token-of-this-test';
  const gateway = createGateway(services, {
    version: '0.0.0-test',
    tokens: tokensOf(token),
    log: () => undefined,
    ...options,
  });
  const http = createServer((request, response) => void gateway.handleHttp(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const local = await listenLocal(
    { dataDir, platform: process.platform, version: '0.0.0-test' },
    { httpUrl: url.href, onMcp: gateway.serveStream, onRpc: options.onRpc ?? ((wire) => wire.close()) },
  );
  return {
    gateway,
    dataDir,
    token,
    url,
    local,
    /** How a client starts the bridge. */
    bridge: (...args: string[]): Required<Command> => ({
      command: process.execPath,
      args: [bridgeFile, ...args],
      env: { TOOLKEEP_HOME: dataDir, ...compileCache },
    }),
    async close() {
      await gateway.close();
      await local.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
