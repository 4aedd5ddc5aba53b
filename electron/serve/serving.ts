/** Runs a Core with everything through which it is reached: the local socket, the loopback page with its Wire, and `/mcp`. */
import { join } from 'node:path';
import type { Wire } from '../../shared/wire.ts';
import { type Core, createCore } from '../core/core.ts';
import { ensureToken, listenLocal } from '../core/gateway/gateway.ts';
import type { Host } from '../core/host.ts';
import { listenLoopback } from './loopback.ts';

export interface Serving {
  readonly core: Core;
  /** Address of the window as a page, with the token that opens it. */
  readonly pageUrl: string;
  /** Joins a face to the Core; it keeps the Core from counting as idle. */
  attach(wire: Wire, face: { answersQuestions: boolean }): void;
  /** Ends all connections and the Core. Safe to call twice. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** The built renderer. */
  rendererDir: string;
  /** A port that must be had; otherwise the last one, and if that is taken any. */
  port?: number | undefined;
  /** Nobody has been connected for a minute. */
  onIdle?: (() => void) | undefined;
}

const switchedOff = { code: -32000, message: 'HTTP is switched off in the settings of Gatehouse.' };

/** Starts it all. Fails with CORE_RUNNING, or PORT_TAKEN for a port that was asked for. */
export async function serveCore(host: Host, options: ServeOptions): Promise<Serving> {
  const token = ensureToken(host.dataDir);
  const tokenFile = join(host.dataDir, 'run', 'token');
  let origin: string | undefined;
  const core = await createCore(host, {
    token,
    http: () => (origin && core.http.enabled ? { url: `${origin}/mcp`, tokenFile } : undefined),
    ...(options.onIdle && { onIdle: options.onIdle }),
    idleMs: Number(host.env.GATEHOUSE_IDLE_EXIT_MS) || undefined,
  });
  const attach: Serving['attach'] = (wire, face) => {
    wire.onClose(core.gateway.hold());
    core.attach(wire, face);
  };
  const closers: (() => Promise<void>)[] = [() => core.close()];
  try {
    const page = await listenLoopback({
      token,
      rendererDir: options.rendererDir,
      wantedPort: options.port ?? (core.http.port || undefined),
      lastPort: lastPort(host),
      handleMcp: async (request, response) => {
        if (core.http.enabled) return core.gateway.handleHttp(request, response);
        response.writeHead(403, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: switchedOff }));
      },
      onWire: (wire) => attach(wire, { answersQuestions: true }),
      log: host.log,
    });
    closers.unshift(page.close);
    origin = page.origin;
    rememberPort(host, page.port);
    const local = await listenLocal(host, {
      token,
      httpUrl: origin,
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
    pageUrl: `${origin}/#token=${token}`,
    attach,
    close: () => (closing ??= closeAll(closers)),
  };
}

/** Clients keep the address of `/mcp` in their config, so it should outlive a restart. */
function lastPort(host: Host): number | undefined {
  const port = host.store.get('face').httpPort;
  return typeof port === 'number' ? port : undefined;
}

function rememberPort(host: Host, port: number): void {
  const face = host.store.get('face');
  if (face.httpPort !== port) host.store.set('face', { ...face, httpPort: port });
}

/** One after the other: whoever comes in last must find the Core still there. */
async function closeAll(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close().catch(() => undefined);
}
