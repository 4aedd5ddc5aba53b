/** `/mcp` over streamable HTTP on 127.0.0.1: who may come in, sessions of legacy clients, requests of modern ones. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { modeSchema } from '../../../shared/model.ts';
import type { Change, ClientSession, GatewayBackend } from './backend.ts';
import { createDirectCalls, type DirectCalls } from './direct-calls.ts';
import { answerOn } from './http-answer.ts';
import { refuse } from './http-guard.ts';
import { isPlainCall, parseBody, readBody } from './http-message.ts';
import { createListening } from './listening.ts';
import type { ParkedCalls } from './parked-calls.ts';
import type { Presence } from './presence.ts';
import { createSessionServer, type Introduction, type SessionServer } from './session.ts';
import { maxMessageBytes } from './stream-transport.ts';
import { type AskedView, refusalOf, type View, viewOf } from './view.ts';

export interface HttpEndpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  changed(what: Change): void;
  resourceUpdated(uri: string): void;
  close(): Promise<void>;
}

interface LegacySession {
  id: string;
  session: SessionServer;
  transport: WebStandardStreamableHTTPServerTransport;
  calls: DirectCalls;
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
    if (refusal) return sendError(response, refusal.status, -32000, refusal.message, refusal.headers);
    const isPost = request.method === 'POST';
    let bytes: Buffer | undefined;
    try {
      if (isPost) bytes = await readBody(request, maxMessageBytes);
    } catch (error) {
      // The client left in the middle of its message.
      return onerror(error as Error);
    }
    if (isPost && !bytes) {
      const message = `Payload Too Large: Request body must not exceed ${maxMessageBytes} bytes`;
      return sendError(response, 413, -32000, message, { connection: 'close' });
    }
    const asked = askedBy(request);
    const reason = whyNot(asked);
    if (reason !== undefined) return sendError(response, 404, -32001, reason);
    const body = bytes && parseBody(bytes);
    if (isPost && !body) return sendError(response, 400, -32700, 'Parse error: the body is not valid JSON.');
    if (answersCall(request, response, body?.message)) return;
    // It brings Node's fetch and HTTP/2 with it: 20 MB that a Core without such clients need not hold.
    const { toNodeHandler } = await import('@modelcontextprotocol/node');
    const fetch = (web: Request) => route(web, viewOf(backend, asked), body?.message, response);
    const handler = toNodeHandler({ fetch }, { onerror, maxRequestBodySize: maxMessageBytes });
    return handler(request as never, response as never);
  }

  /** Why a client that asks for this cannot be served; undefined when it can. */
  function whyNot(asked: AskedView): string | undefined {
    if (asked.server !== undefined && !backend.servers().some(({ id }) => id === asked.server))
      return `There is no server "${asked.server}".`;
    return refusalOf(backend, asked);
  }

  /** True when it is a call of a legacy session, which needs neither the SDK nor the objects of the web. */
  function answersCall(request: IncomingMessage, response: ServerResponse, message: unknown): boolean {
    const entry = legacy.get(String(request.headers['mcp-session-id']));
    if (!entry || !isPlainCall(request, message)) return false;
    return entry.calls.take(message, () => {
      track(entry, response);
      return answerOn(response, entry.id);
    });
  }

  /** `request` comes without its body, which has been read: `parsedBody`. */
  async function route(request: Request, view: View, parsedBody: unknown, response: ServerResponse): Promise<Response> {
    if (parsedBody !== undefined && !(await isLegacyRequest(request, parsedBody))) {
      const listening = createListening(view.backend, (client) => visit(client, view));
      listening.note(parsedBody);
      response.once('close', listening.close);
      return modernHandler(view).fetch(request, { parsedBody });
    }
    const id = request.headers.get('mcp-session-id');
    const entry = id === null ? await openLegacy(view) : legacy.get(id);
    if (!entry) return Response.json(errorOf(-32001, 'Session not found'), { status: 404 });
    track(entry, response);
    return entry.transport.handleRequest(request, { parsedBody });
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
    const calls = createDirectCalls(view.backend, (request) => session.legacyCaller(request.id));
    const entry: LegacySession = {
      id,
      session,
      transport,
      calls,
      open: 0,
      end() {
        legacy.delete(id);
        calls.close();
        clearTimeout(entry.expiry);
        parked.drop(id);
        disconnected?.();
        leave?.();
      },
    };
    session.server.onclose = entry.end;
    session.server.onerror = onerror;
    // Of what the SDK lets through it only has to know the cancellations, and the questions that belong to a call.
    transport.onmessage = (message) => void calls.cancel(message);
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      if (!calls.forward(message, options?.relatedRequestId)) await send(message, options);
    };
    await session.server.connect(transport);
    return entry;
  }

  /** Lets the session expire when no request of it has been open for a while. */
  function track(entry: LegacySession, response: ServerResponse): void {
    entry.open += 1;
    clearTimeout(entry.expiry);
    response.on('close', () => {
      entry.open -= 1;
      if (entry.open > 0) return;
      entry.expiry = setTimeout(() => void entry.transport.close(), silentMs);
      entry.expiry.unref();
    });
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

/** As the address says it, or of the profile a header. */
function askedBy({ url = '', headers }: IncomingMessage): AskedView {
  const asked = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  const profile = asked.get('profile') ?? headers['gatehouse-profile'];
  return {
    mode: modeSchema.options.find((mode) => mode === asked.get('mode')),
    server: asked.get('server') ?? undefined,
    profile: typeof profile === 'string' ? profile : undefined,
  };
}

function sendError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  headers?: Record<string, string>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(errorOf(code, message)));
}

function errorOf(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}
