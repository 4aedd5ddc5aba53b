/** Answers each MCP method, identically for every transport and protocol era. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { ToolkeepError } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { showsApps } from '../tools/apps.ts';
import type { JsonObject } from '../types.ts';
import { forClient } from './client-view.ts';
import { toolCall } from './mcp-request.ts';
import { failureResult, isMetaTool, metaTools, runMetaTool } from './meta-tools/meta-tools.ts';
import type { ClientSession, GatewayServices, ListedItem, ListedTool, McpRequest } from './services.ts';
import { takesTasks } from './tasks/tasks.ts';

/** Methods during which the server may send requests to the client. */
export const interactiveMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Answers one request. Throws ProtocolError for a client error; an unknown method gets -32601. */
export async function answer(services: GatewayServices, request: McpRequest): Promise<JsonObject> {
  const { promptsResources } = services;
  const { client, method, params, signal } = request;
  const { scope } = client;
  switch (method) {
    case 'tools/list': {
      // The meta-tools do not depend on the tools that plug-ins list.
      const { client: reader } = client.mode === 'lazy' ? request : await services.provided.forRequest(request);
      await firstDiscoveries(services, client);
      return { tools: listTools(services, reader) };
    }
    case 'tools/call':
      return answerCall(services, request);
    case 'prompts/list':
      await firstDiscoveries(services, client);
      return { prompts: promptsResources.prompts(scope).map(underListedName) };
    case 'prompts/get':
      return asProtocolError(() =>
        promptsResources.getPrompt(client, stringParam(params, 'name'), params.arguments, signal),
      );
    case 'resources/list':
      await firstDiscoveries(services, client);
      return { resources: (await promptsResources.resources(client, signal)).map(underListedName) };
    case 'resources/templates/list':
      await firstDiscoveries(services, client);
      return { resourceTemplates: promptsResources.resourceTemplates(scope).map(underListedName) };
    case 'resources/read':
      return asProtocolError(() => promptsResources.readResource(client, stringParam(params, 'uri'), signal), {
        uri: params.uri,
      });
    case 'skills/list':
      return promptsResources.skills(scope);
    case 'skills/get':
    case 'resources/directory/read': {
      const asked = { ...params, uri: stringParam(params, 'uri') };
      const ask = method === 'skills/get' ? promptsResources.skill : promptsResources.directory;
      return asProtocolError(() => ask(client, asked, signal), { uri: asked.uri });
    }
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      await asProtocolError(() =>
        promptsResources.subscribe(client, stringParam(params, 'uri'), method === 'resources/subscribe'),
      );
      return {};
    case 'completion/complete':
      return asProtocolError(() => promptsResources.complete(client, params, signal));
    default:
      if (method.startsWith('tasks/')) return services.tasks.answer(request);
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
  }
}

/**
 * In full and hybrid mode, waits for servers that have never been discovered, because many clients ignore `list_changed`. In
 * lazy mode, agents ask again.
 */
async function firstDiscoveries({ servers }: GatewayServices, { mode, scope }: ClientSession): Promise<void> {
  if (mode !== 'lazy') await servers.connecting(scope, scope.server, 'list');
}

/** The only version whose lists say which tools may run as tasks. */
const tasksVersion = '2025-11-25';

type ListServices = Pick<GatewayServices, 'servers' | 'tools' | 'batch'>;
type ListClient = Pick<
  ClientSession,
  'name' | 'mode' | 'readTool' | 'scope' | 'stated' | 'via' | 'capabilities' | 'protocolVersion'
>;

/**
 * The tools for a session's mode. For clients of MCP 2025-11-25, each tool says that it may run as a task. The client's own
 * tasks capability does not matter here, because it is about requests to the client.
 */
export function listTools(services: ListServices, client: ListClient): JsonObject[] {
  const tools = toolsOf(services, client);
  if (client.protocolVersion !== tasksVersion) return tools;
  return tools.map((tool) => ({ ...tool, execution: { taskSupport: 'optional' } }));
}

function toolsOf({ servers, tools, batch }: ListServices, client: ListClient): JsonObject[] {
  const { mode, readTool, scope } = client;
  const further = { readTool, batch: batch.isEnabledFor(client) };
  const hasApps = showsApps(client.capabilities);
  // List app-only tools only for clients that show apps, which hide such tools from their model.
  const isListed = ({ app }: ListedTool) => hasApps || app !== 'only';
  switch (mode) {
    case 'lazy':
      return [
        ...metaTools(servers.names(scope), further),
        ...(hasApps ? forClient(tools.appTools(scope), client).map(underListedName) : []),
      ];
    case 'full':
      return forClient(tools.listed(scope).filter(isListed), client).map(underListedName);
    case 'hybrid': {
      const pinned = tools
        .listed(scope)
        .filter((tool) => isListed(tool) && (tool.tags.includes('pinned') || (hasApps && tool.app !== undefined)));
      return [...metaTools(servers.names(scope), further), ...forClient(pinned, client).map(underListedName)];
    }
  }
}

/** Answers `tools/call`. */
export function answerCall(services: GatewayServices, request: McpRequest): Promise<JsonObject> {
  if (!takesTasks(request.client, request.params)) return callTool(services, request);
  return services.tasks.run(request, (detached) => callTool(services, detached));
}

function callTool(services: GatewayServices, request: McpRequest): Promise<JsonObject> {
  const { client, params } = request;
  const name = stringParam(params, 'name');
  const args = params.arguments ?? {};
  if (!isObject(args))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The arguments of "${name}" must be an object.`);
  const isMeta = client.mode !== 'full' && isMetaTool(name, client, services.batch);
  return isMeta ? runMetaTool(services, request, name, args) : callListedTool(services, request, name, args);
}

async function callListedTool(
  services: GatewayServices,
  request: McpRequest,
  name: string,
  given: JsonObject,
): Promise<JsonObject> {
  const { client } = request;
  let target = services.tools.byListedName(client.scope, name);
  if (!target && showsApps(client.capabilities)) target = services.tools.ofOpenApp(client, name);
  if (!target) {
    // The client may know the name from an earlier run whose catalog was not saved.
    await services.servers.connectingWithTool(client.scope, name);
    target = services.tools.byListedName(client.scope, name);
  }
  if (!target) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  try {
    const calling = await services.provided.forRequest(request, target.server);
    const result = await services.calls.run({
      ...toolCall(calling, { ...target, arguments: given }),
      ...(showsApps(client.capabilities) && { mayBeApp: true }),
    });
    return services.tools.withReadableUris(client.scope, target.server, result);
  } catch (error) {
    if (error instanceof ToolkeepError) return failureResult(error.failure, target);
    throw error;
  }
}

/**
 * Returns a definition with its listed name. The other fields stay as the server sent them; the original name becomes
 * the title.
 */
function underListedName({ definition, name }: ListedItem): JsonObject {
  if (definition.name === name) return definition;
  const annotations = definition.annotations as { title?: unknown } | undefined;
  const title = definition.title ?? annotations?.title ?? definition.name;
  return { ...definition, name, title };
}

function stringParam(params: JsonObject, key: string): string {
  const value = params[key];
  if (typeof value === 'string') return value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `"${key}" must be a string.`);
}

/** Only tool results can carry a failure, so other requests get a JSON-RPC error. */
async function asProtocolError<T>(run: () => Promise<T>, details: JsonObject = {}): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ToolkeepError)) throw error;
    const { code, message } = error.failure;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, ...details });
  }
}
