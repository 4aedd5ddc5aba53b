/** Runs a Core with all its endpoints: the local socket, the page with its Wire, and `/mcp`. */
import type { ServerResponse } from 'node:http';
import { type Core, createCore } from '../core/core.ts';
import { listenLocal } from '../core/gateway/local-endpoint.ts';
import type { Host } from '../core/host.ts';
import { listenLoopback } from './http.ts';
import { createPageKeys } from './page-keys.ts';

export interface Serving {
  readonly core: Core;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** A new page address with a single-use code; undefined if no page is served. */
  pageUrl(): string | undefined;
  /** Connects a UI to Core. While a UI is connected, Core does not count as idle. */
  attach: Core['attach'];
  /** Closes all connections, then Core. Safe to call twice. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** The folder of the built renderer. */
  rendererDir: string;
  /** Fails if this port is not free. Default: the last port if it is free, otherwise any port. */
  port?: number;
  /** Serve the page even if the config does not enable it, because this Core has no other UI. */
  servesPage?: boolean;
  /** Called after a minute without a connected client. Only a Core that a bridge started exits then. */
  onIdle?(): void;
}

const httpDisabled = { code: -32000, message: "HTTP is disabled in Toolkeep's settings." };

/** Starts Core and its endpoints. Fails with CORE_RUNNING, or with PORT_TAKEN if `port` is not free. */
export async function serveCore(host: Host, options: ServeOptions): Promise<Serving> {
  const keys = createPageKeys();
  let origin = '';
  let port: number | undefined;
  const core = await createCore(host, {
    port: () => port,
    http: () => (origin && core.http.enabled ? { url: `${origin}/mcp` } : undefined),
    onIdle: options.onIdle,
    idleMs: Number(host.env.TOOLKEEP_IDLE_EXIT_MS) || undefined,
  });
  const servesPage = () => options.servesPage === true || core.http.page;
  const pageUrl = () => (origin && servesPage() ? `${origin}/#code=${keys.issue()}` : undefined);
  const attach: Serving['attach'] = (wire, ui) => {
    wire.onClose(core.gateway.hold());
    core.attach(wire, ui);
  };
  const closers: (() => Promise<void>)[] = [() => core.close()];
  try {
    const page = await listenLoopback({
      keys,
      servesPage,
      rendererDir: options.rendererDir,
      wantedPort: options.port ?? (core.http.port || undefined),
      lastPort: lastPort(host),
      handleMcp: async (request, response) => {
        if (core.http.enabled) return core.gateway.handleHttp(request, response);
        refuse(response);
      },
      handleDebugStatus(request, response) {
        if (core.http.enabled) core.gateway.handleDebugStatus(request, response);
        else refuse(response);
      },
      onWire: (wire) => attach(wire, { answersQuestions: true }),
      log: host.log,
    });
    closers.unshift(page.close);
    ({ origin, port } = page);
    rememberPort(host, port);
    const local = await listenLocal(host, {
      httpUrl: origin,
      pageUrl,
      onYield: options.onIdle,
      refusal: core.gateway.refusal,
      onMcp: core.gateway.serveStream,
      onRpc: attach,
    });
    closers.unshift(local.close);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    core,
    origin,
    pageUrl,
    attach,
    close: () => (closing ??= closeAll(closers)),
  };
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: httpDisabled }));
}

/** Clients keep the address of `/mcp` in their config, so the port stays the same across restarts. */
function lastPort(host: Host): number | undefined {
  const port = host.store.get('windowState').httpPort;
  return typeof port === 'number' ? port : undefined;
}

function rememberPort(host: Host, port: number): void {
  const state = host.store.get('windowState');
  if (state.httpPort !== port) host.store.set('windowState', { ...state, httpPort: port });
}

/** Closes one after the other, so that a client that connects meanwhile still finds Core. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close().catch(() => undefined);
}
