/** The HTTP server on 127.0.0.1: the page with its Wire, and the gateway's `/mcp` and debug status. */
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer } from 'ws';
import { fail } from '../../shared/failure.ts';
import { limits } from '../../shared/limits.ts';
import type { Wire } from '../../shared/protocol/wire.ts';
import { refusedOrigin } from '../core/gateway/request-guard.ts';
import type { Host } from '../core/host.ts';
import { pageHeaders } from '../host/content-policy.ts';
import { cacheControl, openPageFiles, type PageFiles } from '../host/page-files.ts';
import type { PageKeys } from './page-keys.ts';
import { admitWire } from './websocket-wire.ts';

export type Loopback = Awaited<ReturnType<typeof listenLoopback>>;

export interface LoopbackOptions {
  keys: PageKeys;
  /** Whether the page and its WebSocket are served now. `/mcp` is always served. */
  servesPage(): boolean;
  rendererDir: string;
  wantedPort?: number;
  lastPort?: number;
  handleMcp(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers `/api/status/debug`. */
  handleDebugStatus(request: IncomingMessage, response: ServerResponse): void;
  onWire(wire: Wire): void;
  log: Host['log'];
  /** The time for a whole request; a minute by default. */
  bodyTimeoutMs?: number;
}

/** Large enough for lists of thousands of tools and for files that the user selects. */
const maxFrameBytes = limits.page.frameBytes;
/** Far more than the two messages of the handshake. */
const maxBytesBeforeProof = limits.page.unprovenBytes;

/**
 * Listens on `wantedPort`, or otherwise on `lastPort` if it is free. Fails with PORT_TAKEN if `wantedPort` is not free.
 */
export async function listenLoopback(options: LoopbackOptions) {
  const files = openPageFiles(options.rendererDir);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const { bodyTimeoutMs = limits.client.requestMs } = options;
  // A client that stalls in its headers or its body must not hold a connection and memory. Answers and event streams have no
  // time limit.
  const server = createServer(
    {
      headersTimeout: Math.min(10_000, bodyTimeoutMs),
      requestTimeout: bodyTimeoutMs,
      connectionsCheckingInterval: bodyTimeoutMs / 2,
    },
    (request, response) => void answer(request, response),
  );
  let port = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // Almost every call has exactly this URL, so skip parsing it.
      const pathname = request.url === '/mcp' ? '/mcp' : new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
      // The gateway guards its own endpoints.
      if (pathname === '/mcp') return await options.handleMcp(request, response);
      if (pathname === '/api/status/debug') return options.handleDebugStatus(request, response);
      const refusal = refusedOrigin(request);
      if (refusal) return plain(response, 403, refusal);
      if (!options.servesPage())
        return plain(response, 404, 'Toolkeep serves no page here. Open the Toolkeep app instead.');
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return plain(response, 405, 'Only GET and HEAD are allowed.');
      await answerFile(files, pathname, request.method, response, pageHeaders(port));
    } catch (error) {
      options.log('warn', `${request.method} ${request.url?.slice(0, 200)} failed: ${String(error)}`);
      if (!response.headersSent) plain(response, 500, 'Toolkeep could not answer this request. See its log.');
      else response.destroy();
    }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = refusedOrigin(request);
    if (refusal || request.url !== '/wire' || !options.servesPage()) {
      socket.end(`HTTP/1.1 ${refusal ? '403 Forbidden' : '404 Not Found'}\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const admitted = admitWire(webSocket, options.keys, String(request.headers.host).toLowerCase());
      limitUntil(admitted, socket);
      admitted.then(options.onWire, () => undefined);
    });
  });

  await listen(server, options);
  // For example, because too many files are open.
  server.on('error', (error) => options.log('warn', `A connection could not be accepted: ${error.message}`));
  port = portOf(server);
  return {
    /** `http://127.0.0.1:PORT` */
    origin: `http://127.0.0.1:${port}`,
    port,
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const webSocket of sockets.clients) webSocket.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Destroys the socket if it receives too much before the other end has proved its key. Any program may open it. */
function limitUntil(admitted: Promise<unknown>, socket: Duplex): void {
  let left = maxBytesBeforeProof;
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  };
  const stop = () => void socket.off('data', count);
  socket.on('data', count);
  admitted.then(stop, stop);
}

async function answerFile(
  files: PageFiles,
  pathname: string,
  method: string,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  const found = await files.find(pathname);
  if (!found) return plain(response, 404, 'There is nothing at this address.');
  response.writeHead(200, { ...headers, 'content-type': found.type, 'cache-control': cacheControl(found) });
  if (method === 'HEAD') response.end();
  else await pipeline(createReadStream(found.file), response);
}

async function listen(server: Server, { wantedPort, lastPort }: LoopbackOptions): Promise<void> {
  if (wantedPort !== undefined) {
    if (await tryListen(server, wantedPort)) return;
    throw fail('PORT_TAKEN', `Port ${wantedPort} on 127.0.0.1 is already in use.`);
  }
  if (lastPort && (await tryListen(server, lastPort))) return;
  await tryListen(server, 0);
}

function tryListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    };
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError);
      resolve(true);
    });
  });
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  response.end(`${text}\n`);
}
