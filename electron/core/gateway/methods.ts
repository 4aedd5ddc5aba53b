/** What the gateway answers to each MCP method, the same for every transport and protocol era. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { GatehouseError } from '../../../shared/failure.ts';
import type { ClientSession, GatewayBackend, MethodCall, RawResult, ShownTool } from './backend.ts';
import { failureResult, isMetaTool, metaTools, runMetaTool } from './meta-tools.ts';

/** Methods that may ask the client something while they run. */
export const askingMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Answers one request. Throws ProtocolError for what the client did wrong; unknown methods get -32601. */
export async function answer(backend: GatewayBackend, call: MethodCall): Promise<RawResult> {
  const { session, params, signal } = call;
  switch (call.method) {
    case 'tools/list':
      return { tools: toldList(backend, session) };
    case 'tools/call':
      return callTool(backend, call);
    case 'prompts/list':
      return { prompts: backend.prompts().map(({ name, definition }) => renamed(definition, name)) };
    case 'prompts/get':
      return asProtocolErrors(() => backend.getPrompt(session, text(params, 'name'), params.arguments, signal));
    case 'resources/list':
      return { resources: backend.resources().map(({ name, definition }) => renamed(definition, name)) };
    case 'resources/templates/list':
      return {
        resourceTemplates: backend.resourceTemplates().map(({ name, definition }) => renamed(definition, name)),
      };
    case 'resources/read':
      return asProtocolErrors(() => backend.readResource(session, text(params, 'uri'), signal), { uri: params.uri });
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      await asProtocolErrors(async () =>
        backend.followResource?.(session, text(params, 'uri'), call.method === 'resources/subscribe'),
      );
      return {};
    case 'completion/complete':
      return asProtocolErrors(() => backend.complete(session, params, signal));
    default:
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${call.method}`);
  }
}

/** The tools of a session's mode; only `full` and `hybrid` look at single tools. */
export function listTools(backend: GatewayBackend, session: Pick<ClientSession, 'mode'>): RawResult[] {
  const meta = () =>
    metaTools(
      backend.serverNames?.() ??
        backend
          .servers()
          .filter((server) => server.enabledCount > 0)
          .map((server) => server.id),
    );
  const shown = ({ name, definition }: ShownTool) => renamed(definition, name);
  switch (session.mode) {
    case 'lazy':
      return meta();
    case 'full':
      return backend.enabledTools().map(shown);
    case 'hybrid':
      return [
        ...meta(),
        ...backend
          .enabledTools()
          .filter((tool) => tool.tags.includes('pinned'))
          .map(shown),
      ];
  }
}

function toldList(backend: GatewayBackend, session: ClientSession): RawResult[] {
  const tools = listTools(backend, session);
  backend.listed?.(session, tools);
  return tools;
}

async function callTool(backend: GatewayBackend, call: MethodCall): Promise<RawResult> {
  const name = text(call.params, 'name');
  const args = call.params.arguments ?? {};
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The arguments of "${name}" must be an object.`);
  }
  const given = args as Record<string, unknown>;
  if (isMetaTool(name) && call.session.mode !== 'full') return runMetaTool(backend, call, name, given);
  const shown = backend.byShownName(name);
  if (!shown) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  const { method: _method, params: _params, ...rest } = call;
  try {
    return await backend.execute({ ...rest, ...shown, arguments: given });
  } catch (error) {
    if (error instanceof GatehouseError) return failureResult(error.failure, shown);
    throw error;
  }
}

/** A definition under its shown name: every field as the server gave it, the original name kept as the title. */
function renamed(definition: Record<string, unknown>, name: string): RawResult {
  if (definition.name === name) return definition;
  const annotations = definition.annotations as { title?: unknown } | undefined;
  const title = definition.title ?? annotations?.title ?? definition.name;
  return { ...definition, name, title };
}

function text(params: RawResult, key: string): string {
  const value = params[key];
  if (typeof value === 'string') return value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `"${key}" must be a string.`);
}

/** Outside tools there is no result to carry a failure: it becomes the error answer. */
async function asProtocolErrors<T>(run: () => Promise<T>, about: RawResult = {}): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    const { code, message } = error.failure;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { code, ...about });
  }
}
