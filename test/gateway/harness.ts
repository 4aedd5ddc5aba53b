/** A gateway in the test's own process, reached by its real socket, its real HTTP endpoint and the real bridge. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayBackend } from '../../electron/core/gateway/gateway.ts';
import { createGateway, ensureToken, type GatewayOptions, listenLocal } from '../../electron/core/gateway/gateway.ts';
import type { Wire } from '../../shared/wire.ts';
import type { Command } from '../fixtures/commands.ts';

export const bridgeFile = join(import.meta.dirname, '../../electron/bridge.ts');

export async function startGateway(
  backend: GatewayBackend,
  options: Partial<GatewayOptions> & { onRpc?(wire: Wire): void } = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-gw-'));
  const token = ensureToken(dataDir);
  const gateway = createGateway(backend, { version: '0.0.0-test', token, ...options });
  const http = createServer((request, response) => void gateway.handleHttp(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const local = await listenLocal(
    { dataDir, platform: process.platform, version: '0.0.0-test' },
    { token, httpUrl: url.href, onMcp: gateway.serveStream, onRpc: options.onRpc ?? ((wire) => wire.close()) },
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
      env: { GATEHOUSE_HOME: dataDir },
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
