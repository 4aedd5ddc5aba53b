/** A gateway over the single-server services in a separate process, with socket and HTTP: `node fixture-core.ts <dataDir>`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway } from '../../../electron/core/gateway/gateway.ts';
import { listenLocal } from '../../../electron/core/gateway/local-endpoint.ts';
import { commands } from '../../fixtures/commands.ts';
import { singleServerServices } from '../../fixtures/single-server-services.ts';

const [dataDir = ''] = process.argv.slice(2);
const services = await singleServerServices(commands.everything());
const gateway = createGateway(services, {
  version: '0.0.0-test',
  tokens: { authorize: () => undefined, onRevoked: () => () => undefined },
  log: () => undefined,
});
const http = createServer((request, response) => void gateway.handleHttp(request, response)).listen(0, '127.0.0.1');
await new Promise((resolve) => http.once('listening', resolve));
const httpUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
await listenLocal(
  { dataDir, platform: process.platform, version: '0.0.0-test' },
  { httpUrl, onMcp: gateway.serveStream, onRpc: (wire) => wire.close() },
);
process.stdout.write('ready\n');
