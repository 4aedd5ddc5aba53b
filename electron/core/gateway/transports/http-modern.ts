/** Modern clients on HTTP. They have no sessions, so requests with the same token, name and version count as one client. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import type { ListName } from '../../types.ts';
import type { TokenAccess } from '../request-guard.ts';
import type { ClientSession } from '../services.ts';
import { createModernSubscriptions } from '../sessions/modern-subscriptions.ts';
import { type ClientInfo, createSessionServer, modernClientInfo } from '../sessions/session.ts';
import { type HttpContext, silentMs, type TokenSessionOptions, toHttpSession, tokenRevoked } from './http-context.ts';
import { eventOf, eventStream } from './http-events.ts';
import { maxMessageBytes } from './stream-transport.ts';

interface ModernClient {
  session: ClientSession;
  tokenId: string;
  expiry?: NodeJS.Timeout;
  end(): void;
}

/** Names and versions with which programs may use one token at the same time. Any request can state another name. */
const maxClientsOfToken = limits.client.namesOfToken;

export function createModernHttpClients(context: HttpContext) {
  const { services, inputRequired, connections, version, onError } = context;
  /** One SDK handler per session options. */
  const handlers = new Map<string, { access: TokenAccess; handler: McpHttpHandler }>();
  const clients = new Map<string, ModernClient>();
  /** The responses in progress, each with the function that answers if the user revokes the token. */
  const unanswered = new Map<ServerResponse, { tokenId: string; revoke(): void }>();
  /** The number of responses in progress, including event streams, per client. */
  const openResponses = new Map<string, number>();

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

  const keyOf = ({ name, version }: ClientInfo, options: TokenSessionOptions) =>
    JSON.stringify([name, version, options.key]);

  function open(info: ClientInfo, options: TokenSessionOptions): ClientSession {
    const key = keyOf(info, options);
    const known = clients.get(key);
    clearTimeout(known?.expiry);
    if (!known) makeRoom(options.access.id);
    const session = toHttpSession(info, known?.session.id ?? randomUUID(), options);
    const end = known?.end ?? connect(key, session);
    clients.set(key, { session, end, tokenId: options.access.id });
    if (!openResponses.has(key)) expireLater(key);
    return session;
  }

  /** Ends the token's oldest client, preferably one without open responses, if the token has too many. */
  function makeRoom(tokenId: string): void {
    const own = [...clients].filter(([, client]) => client.tokenId === tokenId);
    if (own.length < maxClientsOfToken) return;
    const [, oldest] = own.find(([key]) => !openResponses.has(key)) ?? (own[0] as (typeof own)[0]);
    clearTimeout(oldest.expiry);
    oldest.end();
  }

  function expireLater(key: string): void {
    const client = clients.get(key);
    if (!client) return;
    clearTimeout(client.expiry);
    client.expiry = setTimeout(client.end, silentMs).unref();
  }

  /** Keeps the client until its response has ended. */
  function hold(key: string, response: ServerResponse): void {
    if (response.destroyed) return;
    openResponses.set(key, (openResponses.get(key) ?? 0) + 1);
    clearTimeout(clients.get(key)?.expiry);
    response.once('close', () => {
      const left = (openResponses.get(key) ?? 1) - 1;
      if (left > 0) openResponses.set(key, left);
      else {
        openResponses.delete(key);
        expireLater(key);
      }
    });
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

  /** Resolves with the answer to a request whose token the user revokes. An open event stream gets it as its last event. */
  function untilRevoked(tokenId: string, response: ServerResponse, message: unknown): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answer = { jsonrpc: '2.0', id: isObject(message) ? message.id : null, error: tokenRevoked };
    const revoke = () => {
      if (response.headersSent) response.write(eventOf(answer));
      else resolve(Response.json(answer));
    };
    unanswered.set(response, { tokenId, revoke });
    response.once('close', () => unanswered.delete(response));
    return promise;
  }

  function endClients(isEnded: (client: ModernClient) => boolean): void {
    for (const client of [...clients.values()].filter(isEnded)) {
      clearTimeout(client.expiry);
      client.end();
    }
  }

  return {
    async handle(
      request: Request,
      response: ServerResponse,
      options: TokenSessionOptions,
      parsedBody: unknown,
    ): Promise<Response> {
      hold(keyOf(modernClientInfo(envelopeOf(parsedBody)), options), response);
      const stream = eventStream();
      const subscriptions = createModernSubscriptions(services, (client) => open(client, options), stream.send);
      const error = subscriptions.note(parsedBody);
      if (error)
        return Response.json({ jsonrpc: '2.0', id: (parsedBody as { id?: unknown }).id, error }, { status: 400 });
      response.once('close', subscriptions.close);
      if (isListen(parsedBody))
        return stream.over(await handlerOf(options).fetch(request, { parsedBody }), subscriptions.acknowledge);
      const revoked = untilRevoked(options.access.id, response, parsedBody);
      return Promise.race([handlerOf(options).fetch(request, { parsedBody }), revoked]);
    },
    listChanged(list: ListName): void {
      for (const { handler } of handlers.values()) {
        if (list === 'tools') handler.notify.toolsChanged();
        else if (list === 'prompts') handler.notify.promptsChanged();
        else handler.notify.resourcesChanged();
      }
    },
    resourceUpdated(uri: string): void {
      for (const { handler } of handlers.values()) handler.notify.resourceUpdated(uri);
    },
    /** Ends every session of a revoked token. */
    revoke(tokenId: string): void {
      for (const { tokenId: own, revoke } of unanswered.values()) if (own === tokenId) revoke();
      endClients((client) => client.tokenId === tokenId);
      for (const [key, { access, handler }] of handlers) {
        if (access.id !== tokenId) continue;
        handlers.delete(key);
        void handler.close();
      }
    },
    async close(): Promise<void> {
      await Promise.all([...handlers.values()].map(({ handler }) => handler.close()));
      endClients(() => true);
    },
  };
}

const isListen = (message: unknown) => isObject(message) && message.method === 'subscriptions/listen';

function envelopeOf(message: unknown): Record<string, unknown> {
  const params = isObject(message) ? message.params : undefined;
  return isObject(params) && isObject(params._meta) ? params._meta : {};
}
