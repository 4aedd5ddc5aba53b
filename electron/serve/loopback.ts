/** The HTTP server on 127.0.0.1: the window as a page, its Wire, and the gateway's `/mcp`. Nothing else of the machine can be reached. */
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer } from 'ws';
import { fail } from '../../shared/failure.ts';
import type { Wire } from '../../shared/wire.ts';
import type { Host } from '../core/host.ts';
import { openPageFiles, type PageFiles } from '../host/host.ts';
import { pageHeaders, refusalOf } from './guard.ts';
import { admitWire } from './websocket-wire.ts';

export interface Loopback {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface LoopbackOptions {
  token: string;
  rendererDir: string;
  wantedPort?: number | undefined;
  lastPort?: number | undefined;
  handleMcp(request: IncomingMessage, response: ServerResponse): Promise<void>;
  onWire(wire: Wire): void;
  log: Host['log'];
}

/** Frames carry lists of thousands of tools and files that a person chose; nothing is bigger than this. */
const maxFrameBytes = 32_000_000;

/** Starts to listen. Fails with PORT_TAKEN when `wantedPort` cannot be had. */
export async function listenLoopback(options: LoopbackOptions): Promise<Loopback> {
  const files = openPageFiles(options.rendererDir);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  const server = createServer((request, response) => void answer(request, response));
  // A stalled header must not hold a connection; bodies and event streams of /mcp may take as long as they like.
  server.headersTimeout = 10_000;
  server.requestTimeout = 0;
  let port = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = refusalOf(request, port);
      if (refusal) return plain(response, 403, refusal);
      // Without the cost of taking an address apart where it is plain, as that of every call is.
      const pathname = request.url === '/mcp' ? '/mcp' : new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
      if (pathname === '/mcp') return await options.handleMcp(request, response);
      if (request.method !== 'GET' && request.method !== 'HEAD') return plain(response, 405, 'Only GET and HEAD.');
      await answerFile(files, pathname, request.method, response, pageHeaders(port));
    } catch (error) {
      options.log('warn', `${request.method} ${request.url?.slice(0, 200)} failed: ${String(error)}`);
      if (!response.headersSent) plain(response, 500, 'Gatehouse could not answer this. See its log.');
      else response.destroy();
    }
  }

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(request, port);
    if (refusal || request.url !== '/wire') {
      socket.end(`HTTP/1.1 ${refusal ? '403 Forbidden' : '404 Not Found'}\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      admitWire(webSocket, options.token).then(options.onWire, () => undefined);
    });
  });

  await listen(server, options);
  port = portOf(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const webSocket of sockets.clients) webSocket.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
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
  const cache = found.immutable ? 'private, max-age=31536000, immutable' : 'no-store';
  response.writeHead(200, { ...headers, 'content-type': found.type, 'cache-control': cache });
  if (method === 'HEAD') response.end();
  else await pipeline(createReadStream(found.file), response);
}

async function listen(server: Server, { wantedPort, lastPort }: LoopbackOptions): Promise<void> {
  if (wantedPort !== undefined) {
    if (await tryListen(server, wantedPort)) return;
    throw fail('PORT_TAKEN', `Port ${wantedPort} on 127.0.0.1 is not free.`);
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
