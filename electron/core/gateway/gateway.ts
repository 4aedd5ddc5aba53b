/** The MCP server that clients see: over the bridge's socket and over streamable HTTP, in both protocol eras. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ListName } from '../types.ts';
import { identityOfBridge, nameOfBridge } from './client-names.ts';
import type { ClientTokens } from './client-tokens.ts';
import { createDebugStatus } from './debug-status.ts';
import type { ClientSession, GatewayServices } from './services.ts';
import { type BridgeClient, sessionOptions, sessionRefusal } from './session-options.ts';
import { createConnectionCount } from './sessions/connection-count.ts';
import { createInputRequiredCalls } from './sessions/input-required.ts';
import { createModernSubscriptions } from './sessions/modern-subscriptions.ts';
import { type ClientInfo, createSessionServer, type SessionServer } from './sessions/session.ts';
import { createDirectCalls } from './transports/direct-calls.ts';
import { createHttpEndpoint } from './transports/http.ts';
import { streamTransport } from './transports/stream-transport.ts';

export interface GatewayOptions {
  /** The Toolkeep version that clients see. */
  version: string;
  /** The bearer tokens that `/mcp` accepts. */
  tokens: Pick<ClientTokens, 'authorize' | 'onRevoked'>;
  /** Called when there has been no connection for `idleMs` (one minute by default), even if there never was one. */
  onIdle?: () => void;
  idleMs?: number;
  log: (level: 'debug', message: string) => void;
}

export interface Gateway {
  /** Serves one client that sends and receives MCP as JSON lines on `stream`, until the stream ends. */
  serveStream(stream: Duplex, client: BridgeClient): void;
  /** The reason why this client cannot be served; undefined if it can be. */
  refusal(client: BridgeClient): string | undefined;
  /** Answers `/mcp?mode=lazy|full|hybrid&readTool=true&server=NAME&profile=NAME`. The caller has matched the path. */
  handleHttp(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers `GET /api/status/debug`. The caller has matched the path. */
  handleDebugStatus(request: IncomingMessage, response: ServerResponse): void;
  /** Keeps Core from becoming idle while a UI or the command line is connected. Call the returned function afterwards. */
  hold(): () => void;
  /** The number of calls that wait for a modern client's answers, plus tasks whose outcome no client has fetched. */
  parkedCalls(): number;
  close(): Promise<void>;
}

interface StreamEntry {
  server?: SessionServer;
  close(): Promise<void>;
}

/** Creates the gateway. It serves the given streams and requests, and opens no socket itself. */
export function createGateway(services: GatewayServices, options: GatewayOptions): Gateway {
  const { version, tokens, log } = options;
  // The SDK and the JSON parser append or quote the message that they received, which may contain a secret.
  const onError = ({ message }: Error) => log('debug', `client: ${message.split(/["{]/, 1)}`);
  const inputRequired = createInputRequiredCalls();
  const connections = createConnectionCount(options);
  const streams = new Map<Duplex, StreamEntry>();
  const handleDebugStatus = createDebugStatus(services, { version, authorize: tokens.authorize });
  const http = createHttpEndpoint({ services, inputRequired, connections, version, tokens, onError });

  function serveStream(stream: Duplex, client: BridgeClient): void {
    const release = connections.add();
    const bridgeOptions = sessionOptions(services.findProfile, client);
    const { key: _, ...chosen } = bridgeOptions;
    const id = randomUUID();
    let disconnected: (() => void) | undefined;

    function openSession(info: ClientInfo): ClientSession {
      const { name, version: clientVersion = '', ...rest } = info;
      const { cwd, bridge, client: via } = client;
      const identity = identityOfBridge(via);
      const about = { name: nameOfBridge(via, name), stated: name, version: clientVersion, identity };
      const scope = { ...chosen.scope, client: via };
      const session: ClientSession = { ...rest, ...about, id, transport: 'bridge', ...chosen, scope, cwd, via, bridge };
      disconnected ??= services.clients.connected(session);
      return session;
    }

    const entry: StreamEntry = { close: async () => undefined };
    const calls = createDirectCalls(services, () => entry.server?.legacyClient());
    // A client that disconnected needs no answer.
    const output = { send: (message: JSONRPCMessage) => void transport.send(message).catch(() => undefined) };
    /** MCP 2026-07-28 has no ping, so the SDK refuses it, and hosts of apps then drop the connection. */
    function answerPing(message: JSONRPCMessage): boolean {
      if (!('method' in message && 'id' in message) || message.method !== 'ping') return false;
      output.send({ jsonrpc: '2.0', id: message.id, result: {} });
      return true;
    }
    const subscriptions = createModernSubscriptions(services, openSession, (notification) =>
      output.send({ jsonrpc: '2.0', ...notification }),
    );
    function refuseSubscription(message: JSONRPCMessage): boolean {
      const error = subscriptions.note(message);
      if (error && 'id' in message) output.send({ jsonrpc: '2.0', id: message.id, error });
      return error !== undefined;
    }
    const transport = streamTransport(
      stream,
      (message) =>
        calls.take(message, () => output) ||
        refuseSubscription(message) ||
        answerPing(message) ||
        calls.cancel(message),
      subscriptions.acknowledge,
    );
    const handle = serveStdio(
      ({ era }) => {
        const session = createSessionServer({
          services,
          version,
          era,
          options: bridgeOptions,
          inputRequired,
          openSession,
        });
        session.server.onerror = onError;
        entry.server = session;
        return session.server;
      },
      { transport, onerror: onError },
    );
    entry.close = () => handle.close();
    streams.set(stream, entry);
    stream.once('close', () => {
      streams.delete(stream);
      calls.close();
      subscriptions.close();
      inputRequired.drop(id);
      disconnected?.();
      release();
    });
  }

  const stopListChanges = onSettledListChange(services.events, (list) => {
    for (const { server } of streams.values()) server?.listChanged(list);
    http.listChanged(list);
  });
  const stopUpdates = services.events.on('resource.updated', ({ uri }) => {
    for (const { server } of streams.values()) server?.resourceUpdated(uri);
    http.resourceUpdated(uri);
  });

  return {
    serveStream,
    refusal: (client) => sessionRefusal(services, client),
    handleHttp: http.handle,
    handleDebugStatus,
    hold: connections.add,
    parkedCalls: () => inputRequired.size() + services.tasks.unfetched(),
    async close() {
      stopListChanges();
      stopUpdates();
      connections.close();
      await Promise.all([http.close(), ...[...streams.values()].map((entry) => entry.close())]);
      for (const stream of streams.keys()) stream.destroy();
    },
  };
}

/** Milliseconds during which list changes are collected, because they come in bursts while a server starts. */
const settleMs = 25;

function onSettledListChange(events: GatewayServices['events'], listener: (list: ListName) => void): () => void {
  const waiting = new Set<ListName>();
  let timer: NodeJS.Timeout | undefined;
  const stop = events.on('list.changed', ({ list }) => {
    waiting.add(list);
    timer ??= setTimeout(() => {
      timer = undefined;
      const changed = [...waiting];
      waiting.clear();
      for (const name of changed) listener(name);
    }, settleMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
