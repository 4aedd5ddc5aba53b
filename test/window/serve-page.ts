/** Builds the page and serves it, with a sample Core behind the product's own loopback server and WebSocket. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Loopback, listenLoopback } from '../../electron/serve/loopback.ts';
import { serveWire } from '../../shared/rpc.ts';
import type { SampleCore } from './sample-core.ts';

const root = join(import.meta.dirname, '../..');

/** The folder of the window as it is shipped; built when it is not up to date. */
export function buildPage(): string {
  execFileSync(process.execPath, [join(root, 'build/build.mjs')], { stdio: 'inherit' });
  return join(root, 'dist/renderer');
}

export interface ServedPage {
  url: string;
  port: number;
  close(): Promise<void>;
}

export const token = 'sample-token-0123456789';

/** Serves `core`; the same `port` may be given to a later one, as after a restart. */
export async function servePage(rendererDir: string, core: SampleCore, port?: number): Promise<ServedPage> {
  const server: Loopback = await listenLoopback({
    token,
    rendererDir,
    wantedPort: port,
    handleMcp: async (_request, response) => void response.writeHead(404).end(),
    onWire: (wire) => serveWire(wire, core.handlers, core.subscribe),
    log: () => undefined,
  });
  return { url: `${server.origin}/#token=${token}`, port: server.port, close: () => server.close() };
}
