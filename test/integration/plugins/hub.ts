/** A tool hub over HTTP that lists different tools for each tenant and records its requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Hub {
  readonly url: string;
  /** Every request, as `METHOD path tenant/principal`. */
  readonly asked: string[];
  /** Tool names by tenant; `''` for all others. */
  tools: Record<string, string[]>;
  /** Answers with this status instead. */
  status?: number;
  /** Delays lists until this promise resolves. */
  until?: Promise<void>;
  /** Requests that the client cancelled before the response. */
  aborted: number;
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
}

export async function startHub(tools: Hub['tools']): Promise<Hub> {
  let server: Server | undefined;
  let port = 0;
  const hub: Hub = {
    asked: [],
    tools,
    aborted: 0,
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    async stop() {
      const ending = server;
      server = undefined;
      if (!ending) return;
      ending.closeAllConnections();
      await new Promise((resolve) => ending.close(resolve));
    },
    async start() {
      server = createServer((request, response) => void answer(hub, request, response));
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
  };
  await hub.start();
  onTestFinished(hub.stop);
  return hub;
}

async function answer(hub: Hub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'x-tenant': tenant = '', 'x-principal': principal = '' } = request.headers;
  hub.asked.push(`${request.method} ${request.url} ${tenant}/${principal}`);
  request.once('close', () => {
    if (!response.writableEnded) hub.aborted += 1;
  });
  const isList = request.method === 'GET';
  if (isList) await hub.until;
  response.statusCode = hub.status ?? 200;
  const names = hub.tools[String(tenant)] ?? hub.tools[''] ?? [];
  const list = names.map((name) => ({
    name,
    description: `Reads the ${name.replaceAll('_', ' ')} of the hub.`,
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  }));
  response.end(isList ? JSON.stringify(list) : `${request.url} for ${tenant}`);
}
