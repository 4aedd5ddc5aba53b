/** A gateway over the small backend in a process of its own, with socket and HTTP: `node fixture-core.ts <dataDir>`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, ensureToken, listenLocal } from '../../electron/core/gateway/gateway.ts';
import { commands } from '../fixtures/commands.ts';
import { smallBackend } from './small-backend.ts';

const [dataDir = ''] = process.argv.slice(2);
const backend = await smallBackend(commands.everything());
const token = ensureToken(dataDir);
const gateway = createGateway(backend, { version: '0.0.0-test', token });
const http = createServer((request, response) => void gateway.handleHttp(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => http.once('listening', resolve));
const httpUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
await listenLocal(
  { dataDir, platform: process.platform, version: '0.0.0-test' },
  { token, httpUrl, onMcp: gateway.serveStream, onRpc: (wire) => wire.close() },
);
process.stdout.write('ready\n');
