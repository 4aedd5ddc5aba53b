/** The MCP server that clients see: over the bridge's socket and over streamable HTTP, in both protocol eras. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Change, ClientSession, GatewayBackend } from './backend.ts';
import { createDirectCalls } from './direct-calls.ts';
import { createHttpEndpoint } from './http.ts';
import { createListening } from './listening.ts';
import { createParkedCalls } from './parked-calls.ts';
import { inParts } from './parts.ts';
import { createPresence } from './presence.ts';
import { createSessionServer, type Introduction, type SessionServer } from './session.ts';
import { streamTransport } from './stream-transport.ts';
import { refusalOf, type StreamClient, viewOf } from './view.ts';

export type {
  Ask,
  Change,
  ClientSession,
  GatewayBackend,
  RawResult,
  Shown,
  ShownTool,
  ToolCall,
} from './backend.ts';
export { sameToken } from './http-guard.ts';
export { connectLocal, ensureToken, type LocalEndpoint, listenLocal } from './local-endpoint.ts';
export { defaultLogLevel, type LogLevel, mostDetailed } from './log-levels.ts';
export { socketWire } from './socket-wire.ts';

export interface GatewayOptions {
  /** Of Gatehouse, as clients see it. */
  version: string;
  /** Bearer token for `/mcp`. */
  token: string;
  /** Called when nobody has been connected for `idleMs` (one minute by default), from the start on. */
  onIdle?: (() => void) | undefined;
  idleMs?: number | undefined;
  log?: ((level: 'debug' | 'warn', message: string) => void) | undefined;
}

export interface Gateway {
  /** Serves one client whose MCP JSON lines come and go on `stream`, until it ends. */
  serveStream(stream: Duplex, client: StreamClient): void;
  /** Why this client cannot be served; undefined when it can. */
  refusal(client: StreamClient): string | undefined;
  /** Answers `/mcp` (`?mode=lazy|full|hybrid`, `&server=NAME` for one server under its own names, `&profile=NAME`); the caller has matched the path. */
  handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Something other than a client needs the Core (a face, the command line); call the result when it is done. */
  hold(): () => void;
  /** How many calls wait for their modern client to come back with answers. */
  parkedCalls(): number;
  close(): Promise<void>;
}

/** Changes come in bursts when a server starts; clients hear of them once. */
const settleMs = 25;

/** Creates the gateway; it serves at once whatever is handed to it and owns no socket itself. */
export function createGateway(behind: GatewayBackend, options: GatewayOptions): Gateway {
  const backend = inParts(behind);
  const log = options.log ?? (() => undefined);
  const parked = createParkedCalls();
  const presence = createPresence(options);
  const streams = new Map<Duplex, { close(): Promise<void>; server: SessionServer | undefined }>();
  const http = createHttpEndpoint({ backend, parked, presence, version: options.version, token: options.token, log });

  function serveStream(stream: Duplex, client: StreamClient): void {
    const leave = presence.enter();
    const { backend: seen, mode, profile } = viewOf(backend, client);
    const id = randomUUID();
    let session: ClientSession | undefined;
    let disconnected: (() => void) | undefined;

    function introduce(introduction: Introduction): ClientSession {
      const { name, version, ...rest } = introduction;
      const { cwd, client: via, server } = client;
      const about = { name: name ?? via ?? 'unknown', version: version ?? '' };
      session = { ...rest, ...about, id, transport: 'bridge', mode, profile, cwd, via, server };
      disconnected ??= backend.connected(session);
      return session;
    }
    const entry: { close(): Promise<void>; server: SessionServer | undefined } = {
      server: undefined,
      close: async () => undefined,
    };
    const direct = createDirectCalls(seen, () => entry.server?.legacyCaller());
    // A client that has left needs no answer.
    const outlet = { send: (message: JSONRPCMessage) => void transport.send(message).catch(() => undefined) };
    const listening = createListening(seen, introduce);
    const transport = streamTransport(stream, (message) => {
      listening.note(message);
      return direct.take(message, () => outlet) || direct.cancel(message);
    });
    const handle = serveStdio(
      ({ era }) => {
        entry.server = createSessionServer({ backend: seen, version: options.version, era, mode, parked, introduce });
        return entry.server.server;
      },
      { transport, onerror: (error) => log('debug', `client: ${error.message}`) },
    );
    entry.close = () => handle.close();
    streams.set(stream, entry);
    stream.once('close', () => {
      streams.delete(stream);
      direct.close();
      listening.close();
      parked.drop(id);
      disconnected?.();
      leave();
    });
  }

  const waiting = new Set<Change>();
  let settling: NodeJS.Timeout | undefined;
  const stopChanges = backend.onChange((what) => {
    waiting.add(what);
    settling ??= setTimeout(() => {
      settling = undefined;
      const changes = [...waiting];
      waiting.clear();
      for (const change of changes) {
        for (const { server } of streams.values()) server?.changed(change);
        http.changed(change);
      }
    }, settleMs);
  });
  const stopUpdates = backend.onResourceUpdated?.((uri) => {
    for (const { server } of streams.values()) server?.resourceUpdated(uri);
    http.resourceUpdated(uri);
  });

  return {
    serveStream,
    refusal: (client) => refusalOf(backend, client),
    handleHttp: http.handle,
    hold: presence.enter,
    parkedCalls: parked.size,
    async close() {
      stopChanges();
      stopUpdates?.();
      clearTimeout(settling);
      presence.close();
      await Promise.all([http.close(), ...[...streams.values()].map((entry) => entry.close())]);
      for (const stream of streams.keys()) stream.destroy();
    },
  };
}
