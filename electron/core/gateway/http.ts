/** `/mcp` over streamable HTTP on 127.0.0.1: who may come in, sessions of legacy clients, requests of modern ones. */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { modeSchema } from '../../../shared/model.ts';
import type { Change, ClientSession, GatewayBackend } from './backend.ts';
import { createListening } from './listening.ts';
import type { ParkedCalls } from './parked-calls.ts';
import type { Presence } from './presence.ts';
import { createSessionServer, type Introduction, type SessionServer } from './session.ts';
import { maxMessageBytes } from './stream-transport.ts';
import { refusalOf, type View, viewOf } from './view.ts';

export interface HttpEndpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  changed(what: Change): void;
  resourceUpdated(uri: string): void;
  close(): Promise<void>;
}

interface LegacySession {
  session: SessionServer;
  transport: WebStandardStreamableHTTPServerTransport;
  /** Requests being answered, event streams included. */
  open: number;
  expiry?: NodeJS.Timeout | undefined;
  end(): void;
}

/** A client that is silent so long, without an open event stream, is gone. */
const silentMs = 10 * 60_000;
const maxSessions = 200;

export function createHttpEndpoint(options: {
  backend: GatewayBackend;
  parked: ParkedCalls;
  presence: Presence;
  version: string;
  token: string;
  log(level: 'debug' | 'warn', message: string): void;
}): HttpEndpoint {
  const { backend, parked, presence, version, log } = options;
  const legacy = new Map<string, LegacySession>();
  const modern = new Map<string, McpHttpHandler>();
  const visitors = new Map<string, { session: ClientSession; expiry: NodeJS.Timeout | undefined; end(): void }>();
  const onerror = (error: Error) => log('debug', `http client: ${error.message}`);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request, options.token);
    if (!refusal) {
      const answered = new Promise<void>((resolve) => response.once('close', resolve));
      const fetch = (web: Request) => route(web, answered);
      // It brings Node's fetch and HTTP/2 with it: 20 MB that a Core without such clients need not hold.
      const { toNodeHandler } = await import('@modelcontextprotocol/node');
      return toNodeHandler({ fetch }, { onerror, maxRequestBodySize: maxMessageBytes })(
        request as never,
        response as never,
      );
    }
    const error = { code: -32000, message: refusal.message };
    response.writeHead(refusal.status, { 'content-type': 'application/json', ...refusal.headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  }

  async function route(request: Request, answered: Promise<void>): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const asked = {
      mode: modeSchema.safeParse(searchParams.get('mode')).data,
      server: searchParams.get('server') ?? undefined,
      profile: searchParams.get('profile') ?? request.headers.get('gatehouse-profile') ?? undefined,
    };
    if (asked.server !== undefined && !backend.servers().some(({ id }) => id === asked.server))
      return refusal(404, -32001, `There is no server "${asked.server}".`);
    const reason = refusalOf(backend, asked);
    if (reason !== undefined) return refusal(404, -32001, reason);
    const view = viewOf(backend, asked);
    // Parsed once for all who look at it: what follows takes the parsed body and a request without one.
    let parsedBody: unknown;
    if (request.method === 'POST') {
      try {
        parsedBody = await request.json();
      } catch {
        return refusal(400, -32700, 'Parse error: the body is not valid JSON.');
      }
    }
    const { url, method, headers, signal } = request;
    const bodiless = new Request(url, { method, headers, signal });
    if (parsedBody !== undefined && !(await isLegacyRequest(bodiless, parsedBody))) {
      const listening = createListening(view.backend, (client) => visit(client, view));
      listening.note(parsedBody);
      void answered.then(listening.close);
      return modernHandler(view).fetch(bodiless, { parsedBody });
    }
    const id = headers.get('mcp-session-id');
    const entry = id === null ? await openLegacy(view) : legacy.get(id);
    if (!entry) return refusal(404, -32001, 'Session not found');
    return tracked(entry, answered, () => entry.transport.handleRequest(bodiless, { parsedBody }));
  }

  async function openLegacy(view: View): Promise<LegacySession> {
    const id = randomUUID();
    let leave: (() => void) | undefined;
    let disconnected: (() => void) | undefined;
    const session = createSessionServer({
      backend: view.backend,
      version,
      era: 'legacy',
      mode: view.mode,
      parked,
      introduce(client) {
        const introduced = toSession(client, id, view);
        disconnected ??= backend.connected(introduced);
        return introduced;
      },
    });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: maxMessageBytes,
      onsessioninitialized() {
        if (legacy.size >= maxSessions) void legacy.values().next().value?.transport.close();
        legacy.set(id, entry);
        leave = presence.enter();
      },
    });
    const entry: LegacySession = {
      session,
      transport,
      open: 0,
      end() {
        legacy.delete(id);
        clearTimeout(entry.expiry);
        parked.drop(id);
        disconnected?.();
        leave?.();
      },
    };
    session.server.onclose = entry.end;
    session.server.onerror = onerror;
    await session.server.connect(transport);
    return entry;
  }

  /** Lets the session expire when no request of it has been open for a while. */
  function tracked(entry: LegacySession, answered: Promise<void>, respond: () => Promise<Response>): Promise<Response> {
    entry.open += 1;
    clearTimeout(entry.expiry);
    void answered.then(() => {
      entry.open -= 1;
      if (entry.open > 0) return;
      entry.expiry = setTimeout(() => void entry.transport.close(), silentMs);
      entry.expiry.unref();
    });
    return respond();
  }

  function modernHandler(view: View): McpHttpHandler {
    let handler = modern.get(view.key);
    if (!handler) {
      const { backend: seen, mode } = view;
      const introduce = (client: Introduction) => visit(client, view);
      handler = createMcpHandler(
        () => createSessionServer({ backend: seen, version, era: 'modern', mode, parked, introduce }).server,
        { legacy: 'reject', maxRequestBodySize: maxMessageBytes, onerror },
      );
      modern.set(view.key, handler);
    }
    return handler;
  }

  /** Modern HTTP knows no sessions: the same name, version and view within a while is the same client. */
  function visit(client: Introduction, view: View): ClientSession {
    const key = JSON.stringify([client.name, client.version, view.key]);
    const known = visitors.get(key);
    clearTimeout(known?.expiry);
    const session = toSession(client, known?.session.id ?? randomUUID(), view);
    const leave = known ? undefined : presence.enter();
    const disconnected = known ? undefined : backend.connected(session);
    const end =
      known?.end ??
      (() => {
        visitors.delete(key);
        parked.drop(session.id);
        disconnected?.();
        leave?.();
      });
    const expiry = setTimeout(end, silentMs);
    expiry.unref();
    visitors.set(key, { session, expiry, end });
    return session;
  }

  return {
    handle,
    changed(what) {
      for (const { session } of legacy.values()) session.changed(what);
      for (const { notify } of modern.values()) {
        if (what === 'tools') notify.toolsChanged();
        else if (what === 'prompts') notify.promptsChanged();
        else notify.resourcesChanged();
      }
    },
    resourceUpdated(uri) {
      for (const { session } of legacy.values()) session.resourceUpdated(uri);
      for (const { notify } of modern.values()) notify.resourceUpdated(uri);
    },
    async close() {
      await Promise.all([...legacy.values()].map(({ transport }) => transport.close()));
      await Promise.all([...modern.values()].map((handler) => handler.close()));
      for (const { expiry, end } of [...visitors.values()]) {
        clearTimeout(expiry);
        end();
      }
    },
  };
}

function toSession(client: Introduction, id: string, { mode, profile, server }: View): ClientSession {
  const { name, version, ...rest } = client;
  return { ...rest, id, name: name ?? 'unknown', version: version ?? '', transport: 'http', mode, profile, server };
}

/**
 * Only this machine and only with the token. Host and Origin are checked although the server listens on 127.0.0.1: a web
 * page could reach it through a name of its own that resolves there.
 */
function refuse(
  request: IncomingMessage,
  token: string,
): { status: number; message: string; headers?: Record<string, string> } | undefined {
  const { host, origin, authorization } = request.headers;
  if (!isLoopback(`http://${host}`)) return { status: 403, message: `The host "${host}" is not 127.0.0.1.` };
  if (origin !== undefined && !isLoopback(origin))
    return { status: 403, message: `The origin "${origin}" is not allowed.` };
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (given !== undefined && sameToken(given, token)) return undefined;
  const message = 'A bearer token is needed; it is in the file run/token of the Gatehouse folder.';
  return { status: 401, message, headers: { 'www-authenticate': 'Bearer' } };
}

function isLoopback(url: string): boolean {
  const hostname = URL.parse(url)?.hostname;
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
}

/** Compares in constant time. */
export function sameToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
