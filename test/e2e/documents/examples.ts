/**
 * The examples of the five documents that Toolkeep implements, in our words, each with its expected result. The title of a test
 * has the ID of its example. Examples of rules are in discovery-rules.test.ts.
 */

export interface Example {
  /** The short names of the document and of the example. */
  id: string;
  section: string;
  shows: string;
  result: string;
}

const row = (id: string, section: string, shows: string, result: string): Example => ({ id, section, shows, result });

/** The discovery specification. */
const specification = [
  row(
    'spec/config',
    'configuration format',
    'one file with cache, four sources and three rules',
    'config show lists each of them, and names the missing source',
  ),
  row(
    'spec/docker',
    'configuration sources',
    'the file of Docker MCP Toolkit',
    'its servers run with their environment',
  ),
  row(
    'spec/claude',
    'configuration sources',
    'the file of Claude Desktop',
    'its server runs with the variable from the environment',
  ),
  row('spec/windsurf', 'configuration sources', 'the file of Windsurf', 'its server runs'),
  row(
    'spec/custom',
    'configuration sources',
    'a YAML file with a title, a description and tools',
    'the tools are known before the server has listed any',
  ),
  row(
    'spec/list_mcp_servers',
    'meta-tools',
    'list_mcp_servers',
    'every server with description, number of tools and status',
  ),
  row(
    'spec/search_tools',
    'meta-tools',
    'search_tools with query, server and limit',
    'tools with server, summary, relevance and tags, best first',
  ),
  row(
    'spec/list_tools',
    'meta-tools',
    'list_tools with and without disabled tools',
    'tools with summary, state and tags',
  ),
  row(
    'spec/get_tool_details',
    'meta-tools',
    'get_tool_details',
    'description, parameters with type and whether they are required, and an example',
  ),
  row('spec/execute_tool', 'meta-tools', 'execute_tool', "the server's result, unchanged"),
  row(
    'spec/execute_error',
    'meta-tools',
    'execute_tool that fails',
    'success false, with code, message, server and tool',
  ),
  row('spec/execute_disabled', 'meta-tools', 'execute_tool of a tool that rules disable', 'it does not run'),
  row('spec/exactly_five', 'exposed tools', 'the list of tools of a client', 'exactly the five'),
  row('spec/issue', 'agentic discovery', 'search, details, execute for an issue', 'the issue is created'),
  row(
    'spec/two_servers',
    'agentic discovery',
    'read a file with one server, create an issue with another',
    'both happen through one gateway',
  ),
  row('spec/cli_list', 'command line', 'list, --status, --tools, --json', 'servers with tools, description and status'),
  row(
    'spec/cli_search',
    'command line',
    'search, --server, --limit',
    'numbered results with match, summary and tags; 2 if there are none',
  ),
  row(
    'spec/cli_tools',
    'command line',
    'tools, --all, --tags',
    'tools with marks, states and tags; 2 for an unknown server',
  ),
  row(
    'spec/cli_inspect',
    'command line',
    'inspect, --examples',
    'description, parameters and example; 2 for an unknown tool',
  ),
  row(
    'spec/cli_config',
    'command line',
    'config validate, sources, reload',
    '0 for a good file, 2 with a specific message for a bad one',
  ),
  row('spec/cli_execute', 'command line', 'execute, --json, --stream', 'the result as text or JSON'),
  row(
    'spec/cli_execute_codes',
    'command line',
    'execute that cannot run',
    '1 arguments, 2 unknown, 3 failed, 4 disabled',
  ),
  row('spec/audit', 'security', 'executions of every outcome', 'the history has all of them'),
  row(
    'spec/search_order',
    'configuration loading',
    'files in the project and at home',
    'the trusted project comes first, the home file stays',
  ),
  row(
    'spec/typescript',
    'configuration approach',
    'a TypeScript file with servers in a discovery section',
    'the server runs',
  ),
  row(
    'spec/typescript_advanced',
    'advanced configuration',
    'a TypeScript file with a custom source and rules',
    'the rules apply to the source',
  ),
  row('spec/not_found', 'error handling', 'a wrong tool name', 'similar names'),
  row(
    'spec/others_continue',
    'error handling',
    'a server that cannot connect',
    'it is disconnected, and the others work',
  ),
  row('spec/local', 'installation', 'a client entry that starts a file with node', 'the client has the five tools'),
];

/** Auto-discovery and elicitation. */
const discovery = [
  row(
    'auto/discover',
    'discovery flow',
    'a discovery of one server',
    'number of tools and duration; category and complexity of each tool',
  ),
  row(
    'auto/validation',
    'tool validation',
    'tools without name, description or schema',
    'invalid ones are skipped with a warning, one without description is flagged',
  ),
  row(
    'auto/annotations',
    'annotation inference',
    'a reading and a deleting tool without hints',
    'read-only and safe; destructive and dangerous',
  ),
  row(
    'auto/filters',
    'search',
    'read-only tools of a category by success rate; tools by safety; tools that need confirmation',
    'exactly those tools',
  ),
  row(
    'auto/confirm',
    'convenience methods',
    'a confirmation with two labels',
    'the labels are on the buttons, and confirming runs the rest',
  ),
  row('auto/text', 'convenience methods', 'a text with placeholder and default', 'the text'),
  row('auto/select', 'convenience methods', 'a choice of three', 'the value of the choice'),
  row('auto/form', 'convenience methods', 'a form with a choice and a number', 'the values by name'),
  row(
    'auto/fallbacks',
    'elicitation lifecycle',
    'no answer in time, for each fallback',
    'cancelled, the default, an error',
  ),
  row('auto/unified', 'unified registry', 'one tool name on two servers', 'two tools with distinct names'),
  row(
    'auto/safe_only',
    'annotation-based filtering',
    'only safe and moderate tools for agents',
    'dangerous ones are neither listed nor run',
  ),
  row(
    'auto/safe_profile',
    'annotation-based filtering',
    'only safe and moderate tools, or those of a category, for one client',
    'that client neither lists nor runs the others',
  ),
  row(
    'auto/breaker',
    'circuit breaker isolation',
    'a tool that fails three times',
    'it is paused, and other tools of the server work',
  ),
  row('auto/differences', 'caching', 'a server whose list changes', 'only added and removed tools change'),
  row(
    'auto/refresh',
    'refresh intervals',
    'intervals by environment',
    'tools that changed without a notification are found',
  ),
  row('auto/metrics', 'monitoring', 'metrics of discovery and elicitation', 'a collector receives them by these names'),
  row('auto/timeout', 'timeout configuration', 'MCP_TOOL_TIMEOUT below the floor', 'five seconds'),
  row('auto/organization', 'custom plug-in', 'a plug-in that adds team and cost center', 'the tools have both'),
  row(
    'auto/lifecycle',
    'custom plug-in',
    'a plug-in with a hook before and after the discovery of a server',
    'both get the name of the server, and the second also gets its tools',
  ),
  row(
    'auto/access',
    'access control plug-in',
    'a plug-in that rejects by category and name',
    'those tools do not exist for agents',
  ),
];

/** The asynchronous tool provider. */
const provider = [
  row(
    'async/hub',
    'worked example',
    'a provider over a hub, with a time to live',
    'its tools are listed and run; within the time, the hub is asked once',
  ),
  row('async/concurrent', 'concurrent agents', 'two clients at once', 'one fetch'),
  row('async/context', 'context', 'a provider that lists by identity and skill', 'each client sees its own tools'),
  row('async/gated', 'composition', 'a gate over an asynchronous provider', 'only what the gate accepts'),
  row('async/cancel', 'cancellation', 'a client that cancels while the hub is slow', 'the fetch is aborted'),
  row(
    'async/failure',
    'failure semantics',
    'a hub that refuses',
    'the client gets the failure instead of an empty list',
  ),
  row(
    'async/reliability',
    'failure semantics',
    'retry while unreachable, at most three times',
    'the list arrives after a retry',
  ),
];

/** The registration flow. */
const registration = [
  row('flow/placeholder', 'configuration', 'a header with {API_TOKEN}', 'the server receives the token'),
  row('flow/unresolved', 'configuration', 'the same without the variable', 'an error that names it, and no request'),
  row(
    'flow/required',
    'validation',
    'stdio without server_path, http_stream without http_endpoint',
    'an error that names the key',
  ),
  row('flow/stdio', 'transport', 'stdio with server_path', 'python runs the file'),
  row('flow/local', 'transport', 'local with a placeholder in args', 'the command runs with the value'),
  row('flow/http', 'transport', 'http_stream with headers, timeout and sse_read_timeout', 'its tools are listed'),
  row(
    'flow/names',
    'discovery',
    'tools, prompts and resources of a server',
    'all have the prefix, tools keep their name as title and have a time limit',
  ),
  row('flow/roots', 'discovery', 'a resource outside the roots', 'it is not registered, and a warning names it'),
  row('flow/route', 'registration', 'a call by prefixed name', 'it reaches its server'),
];

/** Unified tool discovery. */
const unified = [
  row('unified/http_name', 'namespacing', 'an HTTP server with server_slug', 'slug-tool'),
  row('unified/slug', 'namespacing', 'an installation name with team and suffix', 'the slug is the first part'),
  row('unified/list', 'testing strategies', 'tools/list over HTTP', 'tools of both transports'),
  row('unified/call_http', 'testing strategies', 'tools/call of an HTTP tool', 'its result'),
  row('unified/call_stdio', 'testing strategies', 'tools/call of a stdio tool', 'its result'),
  row('unified/debug', 'debugging', 'the debug address', 'servers and tools by transport, statistics, processes'),
  row('unified/debug_off', 'debugging', 'the debug address disabled', 'it is closed'),
  row(
    'unified/differential',
    'configuration management',
    'one server added, one removed, one with another slug, one unchanged',
    'the unchanged one keeps its process, and tools have the new slug',
  ),
  row('unified/unreachable', 'discovery failures', 'an unreachable HTTP server', 'it is skipped, and the others work'),
  row(
    'unified/malformed',
    'discovery failures',
    'a server with malformed tools',
    'they are skipped, and the valid ones stay',
  ),
  row('unified/empty', 'discovery failures', 'a server without tools', 'an empty list, no failure'),
  row('unified/restart', 'discovery failures', 'a process that ends', 'the next call starts it again'),
];

export const examples: readonly Example[] = [...specification, ...discovery, ...provider, ...registration, ...unified];
