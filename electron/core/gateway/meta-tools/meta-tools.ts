/** Defines the meta-tools (in under 600 tokens in total) and runs calls to them. */
import { type Failure, ToolkeepError, toFailure } from '../../../../shared/failure.ts';
import { withText } from '../../calls/step.ts';
import { urlElicitationRequired } from '../../elicitation/forwarded-urls.ts';
import { agentFailure } from '../../tools/agent-failure.ts';
import { showsApps } from '../../tools/apps.ts';
import type { JsonObject } from '../../types.ts';
import { toolCall } from '../mcp-request.ts';
import type { ClientSession, GatewayServices, McpRequest } from '../services.ts';
import { isLookup, type Lookup, lookUp } from './lookups.ts';
import { optionalString, requireShort, toolArguments, toolRef } from './parameters.ts';

type Runner = 'execute_tool' | 'read_tool' | 'execute_tools';
type MetaTool = Lookup | Runner;

/** The meta-tools beside the five that every client gets. */
interface FurtherTools {
  readTool: boolean;
  batch: boolean;
}

/** True for the name of a meta-tool that the client lists. */
export function isMetaTool(
  name: string,
  client: Pick<ClientSession, 'name' | 'readTool'>,
  batch: GatewayServices['batch'],
): name is MetaTool {
  if (name === 'read_tool') return client.readTool;
  return name === 'execute_tools' ? batch.isEnabledFor(client) : isRunner(name) || isLookup(name);
}

const isRunner = (name: string): name is Runner =>
  name === 'execute_tool' || name === 'read_tool' || name === 'execute_tools';

const string = { type: 'string' };
/** Allows any property explicitly, because some client libraries treat an object without `properties` as empty. */
const anyObject = { type: 'object', properties: {}, additionalProperties: true };
/** Tells Claude Code not to defer the meta-tools. Models never see this key. */
const alwaysLoaded = { 'anthropic/alwaysLoad': true };

/**
 * `search_tools` lists the servers, so that agents know what they can search for. With `readTool`, a client can allow all
 * tools that only read, and ask the user about the others.
 */
export function metaTools(serverNames: string[], { readTool, batch }: FurtherTools): JsonObject[] {
  const call = { server: string, tool: string, arguments: anyObject };
  const required = Object.keys(call);
  return [
    definition('list_mcp_servers', 'List the connected MCP servers.', {}, []),
    definition(
      'search_tools',
      `Find tools by what they do; use before saying something cannot be done. Results are server/tool, best first. ${connected(serverNames)}`,
      {
        query: { ...string, description: 'Capability words, e.g. "create issue"' },
        server: string,
        limit: { type: 'integer' },
      },
      ['query'],
    ),
    definition(
      'list_tools',
      'List all tools of one server.',
      { server: string, includeDisabled: { type: 'boolean' } },
      ['server'],
    ),
    definition(
      'get_tool_details',
      "A tool's parameters and an example call.",
      { server: string, tool: string, full: { type: 'boolean' } },
      ['server', 'tool'],
    ),
    definition('execute_tool', 'Run a tool. Look up its parameters first if unsure.', call, required),
    ...(readTool
      ? [definition('read_tool', 'Run a tool that only reads. Others need execute_tool.', call, required)]
      : []),
    ...(batch ? [executeTools(call)] : []),
  ];
}

function executeTools(call: JsonObject): JsonObject {
  const calls = { type: 'array', items: { type: 'object', properties: call } };
  const about = 'Run many calls in order; the user approves all at once. Use it for several similar changes.';
  return definition('execute_tools', about, { calls, stop_on_error: { type: 'boolean', default: true } }, ['calls']);
}

function definition(name: MetaTool, description: string, properties: JsonObject, required: string[]): JsonObject {
  const inputSchema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  const annotations = name.startsWith('execute_tool') ? undefined : { readOnlyHint: true };
  return { name, description, inputSchema, ...(annotations && { annotations }), _meta: alwaysLoaded };
}

/** Limits the names to about 120 tokens. */
const maxNameCharacters = 400;

function connected(serverNames: string[]): string {
  if (serverNames.length === 0) return 'No server is connected.';
  const shown: string[] = [];
  let length = 0;
  for (const name of serverNames) {
    const plain = name.replace(/[^\p{L}\p{N}_./ -]/gu, '').slice(0, 40);
    length += plain.length + 2;
    if (length > maxNameCharacters) break;
    shown.push(plain);
  }
  const rest = serverNames.length - shown.length;
  return `Servers: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Maximum length of a name that a failure repeats. */
const maxShown = 1_000;

/**
 * Runs a meta-tool. A failure of the gateway becomes an `isError` result; a server's result passes through unchanged.
 */
export async function runMetaTool(
  services: GatewayServices,
  asked: McpRequest,
  name: MetaTool,
  args: JsonObject,
): Promise<JsonObject> {
  try {
    requireShort(args);
    const request = await services.provided.forRequest(asked, optionalString(args.server));
    if (name === 'execute_tools') {
      const { batchCall } = await import('./batch-call.ts');
      return await services.calls.run(batchCall(services, request, args));
    }
    if (isRunner(name)) {
      const target = { ...toolRef(args), arguments: toolArguments(args.arguments) };
      const call = toolCall(request, target);
      const given = await services.calls.run(name === 'read_tool' ? { ...call, mustRead: true } : call);
      const { scope, capabilities } = request.client;
      const readable = services.tools.withReadableUris(scope, target.server, given);
      const result = services.batch.untold.delete(request.client.name) ? withText(readable, batchHint) : readable;
      if (!showsApps(capabilities)) return result;
      return withApp(result, services.tools.appMeta(scope, target.server, target.tool));
    }
    return textResult(await lookUp(services, request.client, name, args));
  } catch (error) {
    // A client that opens pages itself needs the server's error unchanged.
    if (isRunner(name) && (error as { code?: unknown } | null)?.code === urlElicitationRequired) throw error;
    const isServerError = isRunner(name) && !(error instanceof ToolkeepError);
    const failure = toFailure(error, isServerError ? 'TOOL_EXECUTION_ERROR' : 'INTERNAL');
    const shown = (value: unknown) => optionalString(value)?.slice(0, maxShown);
    return failureResult(failure, { server: shown(args.server), tool: shown(args.tool) });
  }
}

/** Adds the tool's app to the result, because a client that called a meta-tool cannot look it up by the tool's name. */
function withApp(result: JsonObject, ui: unknown): JsonObject {
  return ui === undefined ? result : { ...result, _meta: { ...(result._meta as JsonObject), ui } };
}

/** Tells the agent what the user has just allowed, because some clients ignore that the list of tools changed. */
const batchHint =
  'Toolkeep: the user lets you send many such calls in one execute_tools request, and then answers one question about all of them. If you do not have that tool, list the tools again.';

function textResult(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

/** A gateway failure in the form that the agent sees. */
export function failureResult(failure: Failure, place: { server?: string; tool?: string }): JsonObject {
  const { code, message, hint, newDestinations } = agentFailure(failure);
  const error = {
    code,
    message: hint === undefined ? message : `${message} ${hint}`,
    server: failure.server ?? place.server,
    tool: failure.tool ?? place.tool,
    newDestinations,
  };
  return { ...textResult(JSON.stringify({ success: false, error })), isError: true };
}
