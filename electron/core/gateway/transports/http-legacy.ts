/** Sessions of legacy clients on HTTP: one SDK server and transport per session, closed when the client sends no more requests. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { limits } from '../../../../shared/limits.ts';
import { largestOwner } from '../../async/largest-owner.ts';
import type { ListName } from '../../types.ts';
import type { TokenAccess } from '../request-guard.ts';
import { createSessionServer, type SessionServer } from '../sessions/session.ts';
import { createDirectCalls, type DirectCalls } from './direct-calls.ts';
import { answerOn } from './http-answer.ts';
import { type HttpContext, silentMs, type TokenSessionOptions, toHttpSession, tokenRevoked } from './http-context.ts';
import { isPlainCall } from './http-message.ts';
import { maxMessageBytes } from './stream-transport.ts';

interface LegacySession {
  id: string;
  access: TokenAccess;
  session: SessionServer;
  transport: WebStandardStreamableHTTPServerTransport;
  calls: DirectCalls;
  /** Answers the requests in progress, and closes the session. */
  revoke(): void;
  /** The number of requests in progress, including event streams. */
  open: number;
  expiry?: NodeJS.Timeout;
}

const maxSessions = limits.client.sessions;

export function createLegacyHttpClients(context: HttpContext) {
  const sessions = new Map<string, LegacySession>();

  /** Finds a session. It belongs to its token, so its ID alone is not enough. */
  function sessionOf(id: string, access: TokenAccess): LegacySession | undefined {
    const session = sessions.get(id);
    return session?.access.id === access.id ? session : undefined;
  }

  /** Closes the oldest session of the token that has most of them, preferably one without requests in progress. */
  function makeRoom(newest: { owner: string }): void {
    const entries = Array.from(sessions.values(), ({ access }) => ({ owner: access.id }));
    const owner = largestOwner(entries, newest);
    const own = [...sessions.values()].filter(({ access }) => access.id === owner);
    void (own.find(({ open }) => open === 0) ?? own[0])?.transport.close();
  }

  const open = (options: TokenSessionOptions) =>
    openSession(context, options, {
      onOpened(opened) {
        if (sessions.size >= maxSessions) makeRoom({ owner: opened.access.id });
        sessions.set(opened.id, opened);
      },
      onClosed: ({ id }) => void sessions.delete(id),
    });

  async function answer(
    session: LegacySession,
    request: Request,
    response: ServerResponse,
    parsedBody: unknown,
  ): Promise<Response> {
    track(session, response);
    return session.transport.handleRequest(request, { parsedBody });
  }

  return {
    /** Answers a call without the SDK and its web objects. False if the request is not a call in an existing session. */
    answersCall(request: IncomingMessage, response: ServerResponse, access: TokenAccess, message: unknown): boolean {
      const session = sessionOf(String(request.headers['mcp-session-id']), access);
      if (!session || !isPlainCall(request, message)) return false;
      return session.calls.take(message, () => {
        track(session, response);
        return answerOn(response, session.id);
      });
    },
    /** Answers a request in a new or existing session; undefined if there is no such session. */
    handle(
      request: Request,
      response: ServerResponse,
      options: TokenSessionOptions,
      parsedBody: unknown,
    ): Promise<Response> | undefined {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return open(options).then((session) => answer(session, request, response, parsedBody));
      const session = sessionOf(id, options.access);
      return session && answer(session, request, response, parsedBody);
    },
    listChanged(list: ListName): void {
      for (const { session } of sessions.values()) session.listChanged(list);
    },
    resourceUpdated(uri: string): void {
      for (const { session } of sessions.values()) session.resourceUpdated(uri);
    },
    /** Ends every session of a revoked token. */
    revoke(tokenId: string): void {
      for (const session of [...sessions.values()]) if (session.access.id === tokenId) session.revoke();
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}

/** `onOpened` is called after the handshake, `onClosed` when the session ends. */
async function openSession(
  { services, inputRequired, connections, version, onError }: HttpContext,
  options: TokenSessionOptions,
  listeners: { onOpened(session: LegacySession): void; onClosed(session: LegacySession): void },
): Promise<LegacySession> {
  const id = randomUUID();
  let release: (() => void) | undefined;
  let disconnected: (() => void) | undefined;
  const server = createSessionServer({
    services,
    version,
    era: 'legacy',
    options,
    inputRequired,
    openSession(client) {
      const opened = toHttpSession(client, id, options);
      disconnected ??= services.clients.connected(opened);
      return opened;
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    maxRequestBodySize: maxMessageBytes,
    onsessioninitialized() {
      listeners.onOpened(session);
      release = connections.add();
    },
  });
  const calls = createDirectCalls(services, (request) => server.legacyClient(request.id));
  const revoke = () => {
    calls.revoke();
    for (const request of unanswered) void transport.send({ jsonrpc: '2.0', id: request, error: tokenRevoked });
    void transport.close();
  };
  const session: LegacySession = { id, access: options.access, session: server, transport, calls, revoke, open: 0 };
  server.server.onclose = () => {
    listeners.onClosed(session);
    calls.close();
    clearTimeout(session.expiry);
    inputRequired.drop(id);
    disconnected?.();
    release?.();
  };
  server.server.onerror = onError;
  /** The IDs of the requests that the SDK has not answered. */
  const unanswered = new Set<RequestId>();
  // Direct calls bypass the SDK, but their cancellations and questions pass through it.
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) unanswered.add(message.id);
    calls.cancel(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, sendOptions) => {
    if (!('method' in message) && message.id !== undefined) unanswered.delete(message.id);
    if (!calls.forward(message, sendOptions?.relatedRequestId)) await send(message, sendOptions);
  };
  await server.server.connect(transport);
  return session;
}

/** Closes the session after it has had no open request for a while. */
function track(session: LegacySession, response: ServerResponse): void {
  session.open += 1;
  clearTimeout(session.expiry);
  response.on('close', () => {
    session.open -= 1;
    if (session.open > 0) return;
    session.expiry = setTimeout(() => void session.transport.close(), silentMs);
    session.expiry.unref();
  });
}
