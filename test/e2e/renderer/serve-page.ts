/** Builds the page and serves it with the product's loopback server, connected to a sample Core. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Loopback, listenLoopback } from '../../../electron/http/http.ts';
import { createPageKeys } from '../../../electron/http/page-keys.ts';
import { serveWire } from '../../../shared/protocol/rpc.ts';
import type { SampleCore } from './sample-core.ts';

const root = join(import.meta.dirname, '../../..');

/** Builds the page if needed and returns its folder. */
export function buildPage(): string {
  execFileSync(process.execPath, [join(root, 'build/build.mjs')], { stdio: 'inherit' });
  return join(root, 'dist/renderer');
}

export interface ServedPage {
  /** The page's address, with a new code on each access. */
  readonly url: string;
  port: number;
  close(): Promise<void>;
}

/** Survives a simulated restart, like the keys of a tab that lost its connection. */
const keys = createPageKeys();

/** Serves `core`. `wantedPort`: that of an earlier server, to simulate a restart. `lastPort`: taken if it is free. */
export async function servePage(
  rendererDir: string,
  core: SampleCore,
  ports: { wantedPort?: number; lastPort?: number } = {},
): Promise<ServedPage> {
  const server: Loopback = await listenLoopback({
    keys,
    servesPage: () => true,
    rendererDir,
    ...ports,
    handleDebugStatus: (_request, response) => response.writeHead(404).end(),
    handleMcp: async (_request, response) => void response.writeHead(404).end(),
    onWire: (wire) => serveWire(wire, core.handlers, core.subscribe),
    log: () => undefined,
  });
  return {
    get url() {
      return `${server.origin}/#code=${keys.issue()}`;
    },
    port: server.port,
    close: () => server.close(),
  };
}
