/** One client connection on the SDK's server: who the client is, what it may be asked, and its change notices. */
import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import type { Mode } from '../../../shared/model.ts';
import type { Ask, Change, ClientSession, GatewayBackend, RawResult } from './backend.ts';
import { defaultLogLevel, isLogLevel, type LogLevel } from './log-levels.ts';
import { methodCall, type Notify } from './method-call.ts';
import { answer, askingMethods, listTools } from './methods.ts';
import type { ParkedCalls } from './parked-calls.ts';

export interface SessionServer {
  readonly server: Server;
  /** Tells the client, if its list is another one now. */
  changed(what: Change): void;
  resourceUpdated(uri: string): void;
  /**
   * A legacy client after its handshake, whose calls need nothing of the SDK but to ask it something; where each request has a
   * way of its own, during `request`.
   */
  legacyCaller(request?: RequestId): LegacyCaller | undefined;
}

export interface LegacyCaller {
  session: ClientSession;
  logLevel: LogLevel;
}

/** A client as it introduces itself: in the handshake (legacy) or with each request (modern). */
export interface Introduction {
  name: string | undefined;
  version: string | undefined;
  era: 'legacy' | 'modern';
  capabilities: Record<string, unknown>;
  ask: Ask | undefined;
  notify?: ClientSession['notify'];
}

/** A modern client says with each request who it is. */
export function modernIntroduction(envelope: Record<string, unknown>): Introduction {
  const client = envelope['io.modelcontextprotocol/clientInfo'] as { name?: string; version?: string } | undefined;
  const capabilities = envelope['io.modelcontextprotocol/clientCapabilities'] as Record<string, unknown> | undefined;
  const about = { name: client?.name, version: client?.version, capabilities: capabilities ?? {} };
  return { ...about, era: 'modern', ask: undefined };
}

const anyResult = z.looseObject({});
/** The caller's signal ends a question, not a clock. */
const noTimeoutMs = 2 ** 31 - 1;

/**
 * Creates the SDK server for one connection (legacy) or one request (modern HTTP). Requests come through its fallback
 * handler: the SDK's typed handlers would validate results and drop what their schemas do not know.
 */
export function createSessionServer(options: {
  backend: GatewayBackend;
  version: string;
  era: 'legacy' | 'modern';
  mode: Mode;
  parked: ParkedCalls;
  /** Creates the client's session or finds the one it has. */
  introduce(client: Introduction): ClientSession;
}): SessionServer {
  const { backend, era, mode, parked, introduce } = options;
  const server = new Server(
    { name: 'gatehouse', title: 'Gatehouse', version: options.version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
      instructions: backend.instructions(),
    },
  );
  server.removeRequestHandler('logging/setLevel');
  let known: ClientSession | undefined;
  let logLevel = defaultLogLevel;
  const followed = new Set<string>();
  let lastList = mode === 'lazy' ? JSON.stringify(listTools(backend, { mode })) : '';

  /** Over HTTP a question reaches the client on the way of the request that it belongs to. */
  function askDuring(request: RequestId | undefined, capabilities: Record<string, unknown>): Ask | undefined {
    return guarded(capabilities, (method, params, signal) => {
      const options = { signal, timeout: noTimeoutMs, relatedRequestId: request };
      return server.request({ method, params }, anyResult, options);
    });
  }

  function legacySession(): ClientSession {
    const client = server.getClientVersion();
    const capabilities = (server.getClientCapabilities() ?? {}) as Record<string, unknown>;
    known ??= introduce({
      name: client?.name,
      version: client?.version,
      era,
      capabilities,
      ask: askDuring(undefined, capabilities),
      notify: (method, params) => ignoreFailure(server.notification({ method, params })),
    });
    return known;
  }
  if (era === 'legacy') {
    server.oninitialized = () => void legacySession();
    server.setNotificationHandler('notifications/roots/list_changed', () => backend.rootsChanged?.(legacySession()));
  }

  function setLogLevel(level: unknown): RawResult {
    if (!isLogLevel(level))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no log level ${JSON.stringify(level)}.`);
    logLevel = level;
    backend.setLogLevel?.(legacySession(), level);
    return {};
  }

  /** Of the messages of one request. */
  function levelOf(session: ClientSession, envelope: Record<string, unknown> | undefined): LogLevel | undefined {
    if (era === 'legacy') return logLevel;
    const level = envelope?.['io.modelcontextprotocol/logLevel'];
    if (!isLogLevel(level)) return undefined;
    backend.setLogLevel?.(session, level);
    return level;
  }

  function modernSession(envelope: Record<string, unknown>): ClientSession {
    known = introduce(modernIntroduction(envelope));
    return known;
  }

  server.fallbackRequestHandler = async (request, ctx) => {
    const params = (request.params ?? {}) as RawResult;
    if (request.method === 'logging/setLevel' && era === 'legacy') return setLogLevel(params.level);
    const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
    const session = era === 'legacy' ? legacySession() : modernSession(envelope ?? {});
    const level = levelOf(session, envelope);
    const call = (session: ClientSession, signal: AbortSignal, notify: Notify) =>
      methodCall({ method: request.method, params }, { session, signal, level, notify });
    if (era === 'modern' && askingMethods.has(request.method)) {
      return parked.run(roundOf(request, ctx, session.id), ({ signal, ask, notify }) =>
        answer(backend, call({ ...session, ask: guarded(session.capabilities, ask) }, signal, notify)),
      );
    }
    const bound = era === 'legacy' ? { ...session, ask: askDuring(request.id, session.capabilities) } : session;
    const result = await answer(backend, call(bound, ctx.mcpReq.signal, notifier(ctx)));
    if (request.method === 'resources/subscribe') followed.add(String(params.uri));
    if (request.method === 'resources/unsubscribe') followed.delete(String(params.uri));
    return result;
  };

  function changed(what: Change): void {
    if (known === undefined && era === 'legacy') return;
    if (what === 'tools' && mode === 'lazy') {
      const list = JSON.stringify(listTools(backend, { mode }));
      if (list === lastList) return;
      lastList = list;
    }
    const method = `notifications/${what}/list_changed` as const;
    ignoreFailure(server.notification({ method }));
  }

  return {
    server,
    changed,
    resourceUpdated(uri) {
      // A part of what is followed counts. The SDK picks by itself for modern clients.
      const isFollowed = () => [...followed].some((known) => uri === known || uri.startsWith(`${known}/`));
      if (era === 'modern' || isFollowed()) ignoreFailure(server.sendResourceUpdated({ uri }));
    },
    legacyCaller(request) {
      if (era !== 'legacy' || !known) return undefined;
      const session = request === undefined ? known : { ...known, ask: askDuring(request, known.capabilities) };
      return { session, logLevel };
    },
  };
}

function notifier(ctx: ServerContext): Notify {
  return (method, params) => ignoreFailure(ctx.mcpReq.notify({ method, params }));
}

function roundOf(request: JSONRPCRequest, ctx: ServerContext, owner: string) {
  const { _meta, ...params } = (request.params ?? {}) as RawResult;
  return {
    owner,
    request: { method: request.method, params },
    state: ctx.mcpReq.requestState(),
    responses: ctx.mcpReq.inputResponses,
    signal: ctx.mcpReq.signal,
    notify: notifier(ctx),
  };
}

/** Undefined when the client can be asked nothing; otherwise refuses what it did not declare. */
function guarded(capabilities: Record<string, unknown>, ask: Ask): Ask | undefined {
  const { elicitation, sampling, roots } = capabilities;
  if (!elicitation && !sampling && !roots) return undefined;
  return async (method, params, signal, key) => {
    if (canAnswer(capabilities, method, params)) return ask(method, params, signal, key);
    throw fail('INPUT_INVALID', `The client did not declare that it can answer ${method}.`);
  };
}

function canAnswer(capabilities: Record<string, unknown>, method: string, params: RawResult): boolean {
  if (method === 'roots/list') return Boolean(capabilities.roots);
  if (method === 'sampling/createMessage') return Boolean(capabilities.sampling);
  if (method !== 'elicitation/create') return false;
  const modes = capabilities.elicitation as Record<string, unknown> | undefined;
  if (params.mode === 'url') return Boolean(modes?.url);
  // A bare `elicitation: {}` is how clients before 2025-11-25 said that they take forms.
  return modes !== undefined && (Boolean(modes.form) || !modes.url);
}

/** A client that has left needs no notice. */
function ignoreFailure(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
