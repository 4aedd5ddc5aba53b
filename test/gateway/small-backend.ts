/** The least that stands behind a gateway: one real MCP server, no rules, no search beyond substrings. */

import type { Change, ClientSession, GatewayBackend, RawResult } from '../../electron/core/gateway/gateway.ts';
import { fail } from '../../shared/failure.ts';
import type { ServerView, ToolDefinition, ToolView } from '../../shared/model.ts';
import type { Command } from '../fixtures/commands.ts';
import { initialize, type RawPeer, spawnPeer } from './raw-peer.ts';

export interface SmallBackend extends GatewayBackend {
  readonly peer: RawPeer;
  readonly sessions: ClientSession[];
  announce(what: Change): void;
  /** Extra tools to list, beside the server's. */
  extra: ToolDefinition[];
  close(): void;
}

/** Error answers of the server travel as they are. */
class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

/** Starts the server. `prefix` stands before every shown name. */
export async function smallBackend(
  command: Command,
  { server = 'everything', prefix = `${server}-` }: { server?: string; prefix?: string } = {},
): Promise<SmallBackend> {
  const peer = spawnPeer(command);
  await initialize(peer, { capabilities: { elicitation: {}, sampling: {}, roots: {} } });
  const list = async (method: string, key: string) => {
    const { result } = await peer.request(method);
    return (result?.[key] ?? []) as Record<string, unknown>[];
  };
  const definitions = (await list('tools/list', 'tools')) as ToolDefinition[];
  const prompts = await list('prompts/list', 'prompts');
  const resources = await list('resources/list', 'resources');
  const templates = await list('resources/templates/list', 'resourceTemplates');
  const listeners = new Set<(what: Change) => void>();
  let progressTokens = 0;

  async function forward(
    method: string,
    params: RawResult,
    signal: AbortSignal,
    call: Partial<Parameters<GatewayBackend['execute']>[0]> = {},
  ): Promise<RawResult> {
    const { onProgress, session } = call;
    progressTokens += 1;
    const progressToken = progressTokens;
    const _meta = { ...call.meta, ...(onProgress && { progressToken }) };
    if (session?.ask) {
      const { ask } = session;
      peer.onRequest = (asked) => ask(asked.method ?? '', asked.params ?? {}, signal);
    }
    const stop = peer.onMessage((message) => {
      if (message.method === 'notifications/message') call.onLog?.(message.params ?? {});
      if (message.method !== 'notifications/progress' || message.params?.progressToken !== progressToken) return;
      const { progressToken: _, ...progress } = message.params;
      onProgress?.(progress);
    });
    const answer = peer.request(method, { ...params, ...(Object.keys(_meta).length > 0 && { _meta }) });
    const cancel = () => peer.notify('notifications/cancelled', { requestId: answer.id, reason: 'cancelled' });
    signal.addEventListener('abort', cancel, { once: true });
    const { result, error } = await Promise.race([
      answer,
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled')))),
    ]).finally(stop);
    if (error) throw new RpcError(error);
    return result ?? {};
  }

  const shown = (definition: Record<string, unknown>) => ({ name: `${prefix}${definition.name}`, server, definition });
  const unshown = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const backend: SmallBackend = {
    peer,
    sessions: [],
    extra: [],
    announce: (what) => {
      for (const listener of listeners) listener(what);
    },
    close: () => peer.close(),
    servers: () => [serverView(server, backend.tools(server).length)],
    tools(name) {
      if (name !== server) throw fail('SERVER_NOT_FOUND', `There is no server "${name}". Did you mean "${server}"?`);
      return [...definitions, ...backend.extra].map((definition) => toolView(server, definition));
    },
    tool(name, tool) {
      const found = backend.tools(name).find((view) => view.name === tool);
      if (found) return found;
      throw fail('TOOL_NOT_FOUND', `There is no tool "${tool}". Did you mean "echo"?`, { server, tool });
    },
    enabledTools: () =>
      [...definitions, ...backend.extra].map((definition) => ({
        ...shown(definition),
        tool: definition.name,
        tags: definition.name === 'echo' ? ['pinned'] : [],
        definition,
      })),
    byShownName: (name) => backend.enabledTools().find((tool) => tool.name === name),
    search: (_session, query, { limit = 10 }) =>
      backend
        .tools(server)
        .filter((tool) => `${tool.name} ${tool.description}`.toLowerCase().includes(query.toLowerCase()))
        .slice(0, limit)
        .map((tool) => ({ server, tool: tool.name, summary: tool.description, relevance: 0.9, tags: [] })),
    async execute(call) {
      backend.tool(call.server, call.tool);
      return forward('tools/call', { name: call.tool, arguments: call.arguments }, call.signal, call);
    },
    prompts: () => prompts.map(shown),
    getPrompt: (session, name, args, signal) =>
      forward('prompts/get', { name: unshown(name), ...(args ? { arguments: args } : {}) }, signal, { session }),
    resources: () => resources.map(shown),
    resourceTemplates: () => templates.map(shown),
    readResource: (session, uri, signal) => forward('resources/read', { uri }, signal, { session }),
    async followResource(_session, uri, follow) {
      await peer.request(follow ? 'resources/subscribe' : 'resources/unsubscribe', { uri });
    },
    onResourceUpdated: (listener) =>
      peer.onMessage(({ method, params }) => {
        if (method === 'notifications/resources/updated') listener(String(params?.uri));
      }),
    complete(session, params, signal) {
      const ref = params.ref as { type: string; name?: string };
      const named = ref.name === undefined ? ref : { ...ref, name: unshown(ref.name) };
      return forward('completion/complete', { ...params, ref: named }, signal, { session });
    },
    connected(session) {
      backend.sessions.push(session);
      return () => backend.sessions.splice(backend.sessions.indexOf(session), 1);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    instructions: () => 'Search first.',
  };
  return backend;
}

export function serverView(id: string, tools: number, description = ''): ServerView {
  const counts = { toolCount: tools, enabledCount: tools, promptCount: 0, resourceCount: 0 };
  const calls = { total: 0, failed: 0, averageMs: 0 };
  const rest = { restarts: 0, breaker: 'closed' as const, phases: [], warnings: [], origins: [], calls };
  return { id, slug: id, description, transport: 'stdio', target: '', status: 'ready', ...counts, ...rest };
}

export function toolView(server: string, definition: ToolDefinition): ToolView {
  const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
  return {
    key: `${server}::${definition.name}`,
    server,
    name: definition.name,
    shownName: `${server}-${definition.name}`,
    title: definition.title ?? definition.name,
    description: definition.description ?? '',
    inputSchema: definition.inputSchema,
    annotations: { ...hints, requiresConfirmation: false, safetyLevel: 'safe', reasons: [] },
    category: 'general',
    complexity: 'simple',
    requiresAuth: false,
    isDeprecated: false,
    findings: [],
    metadata: {},
    enabled: true,
    confirm: 'auto',
    tags: [],
  };
}
