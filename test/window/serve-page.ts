/** Builds the page and serves it, with a sample Core behind the product's own loopback server and WebSocket. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { type Loopback, listenLoopback } from '../../electron/serve/loopback.ts';
import { serveWire } from '../../shared/rpc.ts';
import type { SampleCore } from './sample-core.ts';

export interface BuiltPage {
  dir: string;
  dispose(): void;
}

/** The window as it is shipped, in a folder of its own. */
export async function buildPage(): Promise<BuiltPage> {
  const root = join(import.meta.dirname, '../../renderer');
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-window-'));
  await build({
    configFile: join(root, 'vite.config.ts'),
    root,
    logLevel: 'error',
    build: { outDir: dir, emptyOutDir: true },
  });
  return { dir, dispose: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface ServedPage {
  url: string;
  port: number;
  close(): Promise<void>;
}

export const token = 'sample-token-0123456789';

/** Serves `core`; the same `port` may be given to a later one, as after a restart. */
export async function servePage(page: BuiltPage, core: SampleCore, port?: number): Promise<ServedPage> {
  const server: Loopback = await listenLoopback({
    token,
    rendererDir: page.dir,
    wantedPort: port,
    handleMcp: async (_request, response) => void response.writeHead(404).end(),
    onWire: (wire) => serveWire(wire, core.handlers, core.subscribe),
    log: () => undefined,
  });
  return { url: `${server.origin}/#token=${token}`, port: server.port, close: () => server.close() };
}
