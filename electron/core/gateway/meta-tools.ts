/** The five meta-tools: their definitions, under 600 tokens together, and what each call of them does. */
import { type Failure, fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import { describeServers, describeTool, describeTools, packHits } from './answers.ts';
import type { ClientSession, GatewayBackend, MethodCall, RawResult } from './backend.ts';

const names = ['list_mcp_servers', 'search_tools', 'list_tools', 'get_tool_details', 'execute_tool'] as const;
type MetaTool = (typeof names)[number];

export function isMetaTool(name: string): name is MetaTool {
  return (names as readonly string[]).includes(name);
}

const string = { type: 'string' };

/** The definitions (rows A1 to A5); `search_tools` names the servers, so that agents think of searching. */
export function metaTools(serverNames: string[]): RawResult[] {
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
    definition('get_tool_details', "A tool's parameters and an example call.", { server: string, tool: string }, [
      'server',
      'tool',
    ]),
    definition(
      'execute_tool',
      'Run a tool. Look up its parameters first if unsure.',
      { server: string, tool: string, arguments: { type: 'object' } },
      ['server', 'tool', 'arguments'],
    ),
  ];
}

function definition(
  name: MetaTool,
  description: string,
  properties: Record<string, unknown>,
  required: string[],
): RawResult {
  const inputSchema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  const annotations = name === 'execute_tool' ? undefined : { readOnlyHint: true };
  return { name, description, inputSchema, ...(annotations && { annotations }) };
}

/** At most about 120 tokens of names. */
function connected(serverNames: string[]): string {
  if (serverNames.length === 0) return 'No server is connected.';
  const shown: string[] = [];
  let length = 0;
  for (const name of serverNames) {
    const plain = name.replace(/[^\p{L}\p{N}_./ -]/gu, '').slice(0, 40);
    length += plain.length + 2;
    if (length > 400) break;
    shown.push(plain);
  }
  const rest = serverNames.length - shown.length;
  return `Connected: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

/** Runs a meta-tool. Its own failures become an `isError` result; a server's result passes untouched. */
export async function runMetaTool(
  backend: GatewayBackend,
  call: MethodCall,
  name: MetaTool,
  args: Record<string, unknown>,
): Promise<RawResult> {
  const place = { server: optionalText(args.server), tool: optionalText(args.tool) };
  try {
    switch (name) {
      case 'list_mcp_servers':
      case 'search_tools':
      case 'list_tools':
      case 'get_tool_details': {
        const text = await lookUp(backend, call.session, name, args);
        backend.lookedUp?.(call.session, args, text);
        return textResult(text);
      }
      case 'execute_tool': {
        const { method: _method, params: _params, ...rest } = call;
        return await backend.execute({ ...rest, ...toolRef(args), arguments: toolArguments(args.arguments) });
      }
    }
  } catch (error) {
    if (name === 'execute_tool' && !(error instanceof GatehouseError)) {
      // The agent only sees results: an error answer of the server must become one to reach it.
      if (isUrlElicitation(error)) throw error;
      return failureResult(toFailure(error, 'TOOL_EXECUTION_ERROR'), place);
    }
    return failureResult(toFailure(error), place);
  }
}

async function lookUp(
  backend: GatewayBackend,
  session: ClientSession,
  name: Exclude<MetaTool, 'execute_tool'>,
  args: Record<string, unknown>,
): Promise<string> {
  switch (name) {
    case 'list_mcp_servers':
      return describeServers(backend.servers());
    case 'search_tools': {
      const server = optionalText(args.server);
      const connecting = await backend.connecting?.(server);
      return withNotice(search(backend, session, args), connecting);
    }
    case 'list_tools': {
      const server = needText(args, 'server');
      const connecting = (await backend.connecting?.(server)) ?? [];
      if (connecting.length > 0) return stillConnecting(connecting);
      return describeTools(backend.tools(server), args.includeDisabled === true);
    }
    case 'get_tool_details': {
      const { server, tool } = toolRef(args);
      const connecting = (await backend.connecting?.(server)) ?? [];
      if (connecting.length > 0) return stillConnecting(connecting);
      return describeTool(backend.tool(server, tool));
    }
  }
}

function withNotice(text: string, connecting: string[] = []): string {
  return connecting.length === 0 ? text : `${text}\n${stillConnecting(connecting)}`;
}

/** An answer that leaves something out has to say so. */
function stillConnecting(servers: string[]): string {
  const named = servers.slice(0, 5).join(', ');
  const more = servers.length > 5 ? ` and ${servers.length - 5} more` : '';
  return `Still connecting, not included yet: ${named}${more}. Ask again in a moment.`;
}

function search(backend: GatewayBackend, session: ClientSession, args: Record<string, unknown>): string {
  const query = needText(args, 'query');
  const server = optionalText(args.server);
  const limit = typeof args.limit === 'number' && args.limit >= 1 ? Math.min(Math.floor(args.limit), 100) : undefined;
  // Fails with "did you mean" when the filter names no server.
  if (server !== undefined) backend.tools(server);
  const within = server === undefined ? {} : { server };
  const hits = backend.search(session, query, { limit: limit ?? 10, ...within });
  const off = backend.wanted?.(session, query, { ...within, above: hits[0]?.relevance ?? 0 });
  const found = packHits(
    hits,
    (hit) => backend.tool(hit.server, hit.tool).inputSchema,
    limit === undefined ? { reserved: off?.length } : { describe: limit },
  );
  return off === undefined ? found : `${found}\n${off}`;
}

/** Agents copy `server/tool` from search results, into either parameter. */
function toolRef(args: Record<string, unknown>): { server: string; tool: string } {
  const tool = needText(args, 'tool');
  const server = optionalText(args.server);
  if (server !== undefined)
    return { server, tool: tool.startsWith(`${server}/`) ? tool.slice(server.length + 1) : tool };
  const slash = tool.lastIndexOf('/');
  if (slash < 1) throw fail('INPUT_INVALID', 'The parameter "server" is missing.');
  return { server: tool.slice(0, slash), tool: tool.slice(slash + 1) };
}

/** Some models send the arguments as JSON text. */
function toolArguments(value: unknown): Record<string, unknown> {
  let given = value ?? {};
  if (typeof given === 'string') {
    try {
      given = JSON.parse(given);
    } catch {
      throw fail('INPUT_INVALID', '"arguments" must be an object; the text given is not JSON.');
    }
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw fail('INPUT_INVALID', '"arguments" must be an object.');
}

function needText(args: Record<string, unknown>, key: string): string {
  const value = args[key];
  if (typeof value === 'string' && value !== '') return value;
  throw fail('INPUT_INVALID', `The parameter "${key}" must be a non-empty string.`);
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isUrlElicitation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === -32042;
}

function textResult(text: string): RawResult {
  return { content: [{ type: 'text', text }] };
}

/** A failure of the gateway's own, as the agent sees it. */
export function failureResult(
  failure: Failure,
  place: { server?: string | undefined; tool?: string | undefined },
): RawResult {
  const { code, message, hint } = failure;
  const error = {
    code,
    message: hint === undefined ? message : `${message} ${hint}`,
    server: failure.server ?? place.server,
    tool: failure.tool ?? place.tool,
  };
  return { ...textResult(JSON.stringify({ success: false, error })), isError: true };
}
