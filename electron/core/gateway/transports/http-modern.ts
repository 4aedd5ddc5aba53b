/** Modern clients on HTTP. They have no sessions, so requests with the same token, name and version count as one client. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { TokenAccess } from '../request-guard.ts';
import type { ClientSession } from '../services.ts';
import { createModernSubscriptions } from '../sessions/modern-subscriptions.ts';
import { type ClientInfo, createSessionServer } from '../sessions/session.ts';
import {
  type HttpClients,
  type HttpContext,
  silentMs,
  type TokenSessionOptions,
  toHttpSession,
} from './http-context.ts';
import { maxMessageBytes } from './stream-transport.ts';

export interface ModernHttpClients extends HttpClients {
  handle(
    request: Request,
    response: ServerResponse,
    options: TokenSessionOptions,
    parsedBody: unknown,
  ): Promise<Response>;
}

interface ModernClient {
  session: ClientSession;
  tokenId: string;
  expiry: NodeJS.Timeout;
  end(): void;
}

export function createModernHttpClients(context: HttpContext): ModernHttpClients {
  const { services, inputRequired, connections, version, onError } = context;
  /** One SDK handler per session options. */
  const handlers = new Map<string, { access: TokenAccess; handler: McpHttpHandler }>();
  const clients = new Map<string, ModernClient>();

  function handlerOf(options: TokenSessionOptions): McpHttpHandler {
    const known = handlers.get(options.key);
    if (known) return known.handler;
    const openSession = (client: ClientInfo) => open(client, options);
    const handler = createMcpHandler(
      () => createSessionServer({ services, version, era: 'modern', options, inputRequired, openSession }).server,
      { legacy: 'reject', maxRequestBodySize: maxMessageBytes, onerror: onError },
    );
    handlers.set(options.key, { access: options.access, handler });
    return handler;
  }

  function open(info: ClientInfo, options: TokenSessionOptions): ClientSession {
    const key = JSON.stringify([info.name, info.version, options.key]);
    const known = clients.get(key);
    clearTimeout(known?.expiry);
    const session = toHttpSession(info, known?.session.id ?? randomUUID(), options);
    const end = known?.end ?? connect(key, session);
    const expiry = setTimeout(end, silentMs);
    expiry.unref();
    clients.set(key, { session, expiry, end, tokenId: options.access.id });
    return session;
  }

  /** Reports a new client. Call the returned function when the client ends. */
  function connect(key: string, session: ClientSession): () => void {
    const release = connections.add();
    const disconnected = services.clients.connected(session);
    return () => {
      clients.delete(key);
      inputRequired.drop(session.id);
      disconnected();
      release();
    };
  }

  function endClients(isEnded: (client: ModernClient) => boolean): void {
    for (const client of [...clients.values()].filter(isEnded)) {
      clearTimeout(client.expiry);
      client.end();
    }
  }

  return {
    handle(request, response, options, parsedBody) {
      const subscriptions = createModernSubscriptions(services, (client) => open(client, options));
      subscriptions.note(parsedBody);
      response.once('close', subscriptions.close);
      return handlerOf(options).fetch(request, { parsedBody });
    },
    listChanged(list) {
      for (const { handler } of handlers.values()) {
        if (list === 'tools') handler.notify.toolsChanged();
        else if (list === 'prompts') handler.notify.promptsChanged();
        else handler.notify.resourcesChanged();
      }
    },
    resourceUpdated(uri) {
      for (const { handler } of handlers.values()) handler.notify.resourceUpdated(uri);
    },
    revoke(tokenId) {
      endClients((client) => client.tokenId === tokenId);
      for (const [key, { access, handler }] of handlers) {
        if (access.id !== tokenId) continue;
        handlers.delete(key);
        void handler.close();
      }
    },
    async close() {
      await Promise.all([...handlers.values()].map(({ handler }) => handler.close()));
      endClients(() => true);
    },
  };
}
