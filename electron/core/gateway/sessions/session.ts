/** One client connection on the SDK's server: the client, the requests it can answer, and its change notifications. */

import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { maxTimerMs } from '../../../../shared/max-timer.ts';
import { startOf } from '../../jsonrpc/excerpt.ts';
import { declaredExtensions } from '../../tools/apps.ts';
import { skillsExtension } from '../../tools/skills.ts';
import type { ClientRequest, JsonObject, ListName } from '../../types.ts';
import { mcpRequest, type Notify } from '../mcp-request.ts';
import { answer, interactiveMethods, listTools } from '../methods.ts';
import type { ClientSession, GatewayServices, McpRequest } from '../services.ts';
import type { SessionOptions } from '../session-options.ts';
import { tasksCapability, tasksExtension } from '../tasks/tasks.ts';
import { declaredOnly } from './declared-requests.ts';
import type { InputRequiredCalls } from './input-required.ts';
import { defaultLogLevel, isLogLevel, type LogLevel } from './log-levels.ts';

export type SessionServer = ReturnType<typeof createSessionServer>;

export interface LegacyClient {
  session: ClientSession;
  logLevel: LogLevel;
}

/** The client's self-description, from the handshake (legacy) or from each request (modern). */
export interface ClientInfo {
  name?: string;
  version?: string;
  era: 'legacy' | 'modern';
  protocolVersion?: string;
  capabilities: JsonObject;
  request?: ClientRequest;
  notify?: ClientSession['notify'];
}

/** Names and versions are shown, recorded with each call and kept in grants. */
const maxStated = limits.client.statedCharacters;

/** The name and version that a client states, shortened. */
function statedIn(client: unknown): Pick<ClientInfo, 'name' | 'version'> {
  const { name, version } = isObject(client) ? client : {};
  return {
    ...(typeof name === 'string' && { name: startOf(name, maxStated) }),
    ...(typeof version === 'string' && { version: startOf(version, maxStated) }),
  };
}

/** The client info in the `_meta` of a modern request. */
export function modernClientInfo(envelope: JsonObject): ClientInfo {
  const client = envelope['io.modelcontextprotocol/clientInfo'];
  const capabilities = envelope['io.modelcontextprotocol/clientCapabilities'] as JsonObject | undefined;
  return { ...statedIn(client), capabilities: capabilities ?? {}, era: 'modern' };
}

export interface SessionServerOptions {
  services: GatewayServices;
  version: string;
  era: 'legacy' | 'modern';
  options: SessionOptions;
  inputRequired: InputRequiredCalls;
  /** Creates the client's session, or finds the existing one. */
  openSession(client: ClientInfo): ClientSession;
}

/**
 * Creates the SDK server for one connection (legacy) or one request (modern HTTP). Requests arrive at its fallback handler:
 * the SDK's typed handlers would validate results and drop fields that are not in their schemas.
 */
export function createSessionServer(options: SessionServerOptions) {
  const { services, era } = options;
  const server = createSdkServer(options);
  const subscribed = new Set<string>();
  let known: ClientSession | undefined;
  let toolList: ReturnType<typeof watchToolList> | undefined;
  let logLevel = defaultLogLevel;

  function legacySession(): ClientSession {
    const client = server.getClientVersion();
    const capabilities = (server.getClientCapabilities() ?? {}) as JsonObject;
    known ??= options.openSession({
      ...statedIn(client),
      era,
      protocolVersion: server.getNegotiatedProtocolVersion(),
      capabilities,
      request: requestVia(server, capabilities),
      notify: (method, params) => ignoreFailure(server.notification({ method, params })),
    });
    toolList ??= watchToolList(services, options.options, known);
    return known;
  }

  if (era === 'legacy') {
    server.oninitialized = () => void legacySession();
    server.setNotificationHandler('notifications/roots/list_changed', () =>
      services.clients.rootsChanged(legacySession()),
    );
  }

  function setLogLevel(level: unknown): JsonObject {
    if (!isLogLevel(level))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no log level ${JSON.stringify(level)}.`);
    logLevel = level;
    services.clients.setLogLevel(legacySession(), level);
    return {};
  }

  /** A modern client sends the level with each request. */
  function modernLogLevel(session: ClientSession, envelope: JsonObject): LogLevel | undefined {
    const level = envelope['io.modelcontextprotocol/logLevel'];
    if (!isLogLevel(level)) return undefined;
    services.clients.setLogLevel(session, level);
    return level;
  }

  async function handleLegacy(request: JSONRPCRequest, ctx: ServerContext): Promise<JsonObject> {
    const params = (request.params ?? {}) as JsonObject;
    const { method } = request;
    if (method === 'logging/setLevel') return setLogLevel(params.level);
    const session = legacySession();
    const client = { ...session, request: requestVia(server, session.capabilities, request.id) };
    const call = { client, signal: ctx.mcpReq.signal, level: logLevel, notify: notifyVia(ctx) };
    const result = await answer(services, mcpRequest({ method, params }, call));
    if (method === 'resources/subscribe') subscribed.add(String(params.uri));
    if (method === 'resources/unsubscribe') subscribed.delete(String(params.uri));
    return result;
  }

  async function handleModern(request: JSONRPCRequest, ctx: ServerContext): Promise<JsonObject> {
    const params = (request.params ?? {}) as JsonObject;
    const envelope = (ctx.mcpReq.envelope ?? {}) as JsonObject;
    const session = options.openSession(modernClientInfo(envelope));
    known = session;
    toolList ??= watchToolList(services, options.options, session);
    const level = modernLogLevel(session, envelope);
    const run = (client: ClientSession, signal: AbortSignal, notify: Notify) => {
      const target: Pick<McpRequest, 'method' | 'params'> = { method: request.method, params };
      return answer(services, mcpRequest(target, { client, signal, level, notify }));
    };
    // The SDK removes `inputResponses` from the params of every request.
    if (request.method === 'tasks/update') params.inputResponses = ctx.mcpReq.inputResponses;
    if (!interactiveMethods.has(request.method)) return run(session, ctx.mcpReq.signal, notifyVia(ctx));
    return options.inputRequired.run(attemptOf(request, ctx, session.id), (call) =>
      run({ ...session, request: declaredOnly(session.capabilities, call.request) }, call.signal, call.notify),
    );
  }

  server.fallbackRequestHandler = era === 'legacy' ? handleLegacy : handleModern;
  if (era === 'modern') {
    // The SDK does not pass these methods of MCP 2025-11-25 to its fallback handler.
    for (const method of ['tasks/get', 'tasks/cancel'])
      server.setRequestHandler(method, { params: z.looseObject({}) }, (params, ctx) =>
        handleModern({ jsonrpc: '2.0', id: ctx.mcpReq.id, method, params }, ctx),
      );
  }

  return {
    server,
    /** Notifies the client if its own list of this kind has changed. */
    listChanged(list: ListName): void {
      if (known === undefined && era === 'legacy') return;
      if (list === 'tools' && toolList?.hasChanged() === false) return;
      const method = `notifications/${list}/list_changed` as const;
      ignoreFailure(server.notification({ method }));
    },
    resourceUpdated(uri: string): void {
      // A subscription covers the resources below its URI. For modern clients the SDK filters.
      const isSubscribed = () => [...subscribed].some((known) => uri === known || uri.startsWith(`${known}/`));
      if (era === 'modern' || isSubscribed()) ignoreFailure(server.sendResourceUpdated({ uri }));
    },
    /**
     * A legacy client after its handshake. Its calls use the SDK only to send requests to the client. Over HTTP, such a
     * request travels on the stream of `request`.
     */
    legacyClient(request?: RequestId): LegacyClient | undefined {
      if (era !== 'legacy' || !known) return undefined;
      if (request === undefined) return { session: known, logLevel };
      return { session: { ...known, request: requestVia(server, known.capabilities, request) }, logLevel };
    },
  };
}

function createSdkServer({ services, version, era, options }: SessionServerOptions): Server {
  const server = new Server(
    { name: 'toolkeep', title: 'Toolkeep', version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
        ...(era === 'legacy' && { tasks: tasksCapability }),
        extensions: { [skillsExtension]: { directoryRead: true }, ...(era === 'modern' && { [tasksExtension]: {} }) },
      },
      instructions: services.instructions(options),
    },
  );
  server.removeRequestHandler('logging/setLevel');
  return server;
}

/** The capabilities of a client that shows apps. Its list changes whenever another client's list does. */
const declaresApps = { extensions: declaredExtensions };

/** In lazy mode, the tool list rarely changes with a server's tools, so compare it before notifying clients. */
function watchToolList(
  services: GatewayServices,
  { mode, readTool, scope }: SessionOptions,
  { name }: ClientSession,
): { hasChanged(): boolean } {
  if (mode !== 'lazy') return { hasChanged: () => true };
  const client = { name, mode, readTool, scope, capabilities: declaresApps };
  const current = () => JSON.stringify(listTools(services, client));
  let last = current();
  return {
    hasChanged() {
      const next = current();
      if (next === last) return false;
      last = next;
      return true;
    },
  };
}

const anyResult = z.looseObject({});

/** Sends requests to the client. Over HTTP, they travel on the stream of `related`. */
function requestVia(server: Server, capabilities: JsonObject, related?: RequestId): ClientRequest | undefined {
  return declaredOnly(capabilities, (method, params, signal) => {
    // Only the caller's signal ends a request to the client.
    const options = { signal, timeout: maxTimerMs, relatedRequestId: related };
    return server.request({ method, params }, anyResult, options);
  });
}

function notifyVia(ctx: ServerContext): Notify {
  return (method, params) => ignoreFailure(ctx.mcpReq.notify({ method, params }));
}

function attemptOf(request: JSONRPCRequest, ctx: ServerContext, owner: string) {
  const { _meta, ...params } = (request.params ?? {}) as JsonObject;
  return {
    owner,
    request: { method: request.method, params },
    state: ctx.mcpReq.requestState(),
    responses: ctx.mcpReq.inputResponses,
    signal: ctx.mcpReq.signal,
    notify: notifyVia(ctx),
  };
}

/** Ignores the error if the client has disconnected. */
function ignoreFailure(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
