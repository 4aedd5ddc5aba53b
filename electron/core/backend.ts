/** What the gateway shows to clients: the tools, prompts and resources of all servers under one roof (rows B12, D4, D5). */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Tool } from '../../shared/model.ts';
import { estimateTokens } from './audit/audit.ts';
import type { Clients } from './clients.ts';
import { type Parts, serverView } from './commands/commands.ts';
import { offOf } from './execute/execute.ts';
import type { GatewayBackend, ShownTool } from './gateway/gateway.ts';
import { createPassthrough } from './passthrough/passthrough.ts';
import { createFollowUp } from './search/search.ts';
import type { Signals } from './signals.ts';

/** How long a search waits for servers that connect for the first time, and how long a question about one of them. */
const patienceMs = { search: 2_000, server: 8_000 };

/** So many hits are looked through for those that a client may see. */
const searchedThrough = 1_000;

export function createBackend(
  parts: Parts,
  { onChange, onResourceUpdated }: Pick<Signals, 'onChange' | 'onResourceUpdated'>,
  clients: Clients,
): GatewayBackend {
  const { servers, toolbox, catalog, executor, offers, lessons, savings } = parts;
  const followUp = createFollowUp((query, key) => {
    const split = key.indexOf('::');
    lessons.teach({ query, server: key.slice(0, split), tool: key.slice(split + 2), taughtBy: 'agent' });
  });

  const passthrough = createPassthrough(parts);
  return {
    ...passthrough,
    profile: parts.profiles.find,
    servers: () => servers.configs().map((config) => serverView(config, parts)),
    serverNames() {
      const names = servers.configs().map(({ name }) => name);
      return names.filter((name) => toolbox.counts(name).enabled > 0);
    },
    tools(server) {
      servers.lookAt(server);
      return toolbox.ofServer(server);
    },
    tool(server, tool) {
      servers.lookAt(server);
      return toolbox.find(server, tool);
    },
    enabledTools: () => toolbox.usable().map(({ tool, tags }) => shownTool(tool, tags, parts.timeoutMs(tool.server))),
    byShownName(name) {
      const tool = catalog.byShownName(name);
      return tool && { server: tool.server, tool: tool.name };
    },
    search(session, query, { fits, ...options }) {
      if (options.server) servers.config(options.server);
      const hits = fits
        ? toolbox
            .search(query, { ...options, limit: searchedThrough })
            .filter(fits)
            .slice(0, options.limit)
        : toolbox.search(query, options);
      followUp.searched(
        session.id,
        query,
        hits.map(({ server, tool }) => `${server}::${tool}`),
      );
      return hits;
    },
    wanted(session, query, { above, ...options }) {
      if (parts.isPaused() || parts.host.store.get('whenOff') === 'never') return undefined;
      const best = toolbox.bestOff(query, options);
      const config = servers.configs().find(({ name }) => name === best?.tool.server);
      if (!best || !config || best.relevance < clearlyMeant || best.relevance <= above) return undefined;
      const { tool } = best;
      const wanted = config.enabled
        ? offOf(tool, session.name)
        : { client: session.name, server: tool.server, tool: tool.name, reason: 'server' as const };
      return wanted && `Off: ${tool.server}/${tool.name}. ${offers.want(wanted)}`.trim();
    },
    async execute({ session, ...call }) {
      const result = await executor.execute({ ...call, caller: session });
      if (result.isError !== true) followUp.ran(session.id, `${call.server}::${call.tool}`);
      return result;
    },
    results: () => parts.current().results,
    connecting(server) {
      const names = server === undefined ? servers.configs().map(({ name }) => name) : [server];
      const isOpen = (name: string) => servers.firstDiscovery(name) !== undefined;
      const waiting = names.filter(isOpen);
      if (waiting.length === 0) return undefined;
      const waitMs = server === undefined ? patienceMs.search : patienceMs.server;
      return Promise.race([
        Promise.allSettled(waiting.map(servers.firstDiscovery)),
        sleep(waitMs, undefined, { ref: false }),
      ]).then(() => waiting.filter(isOpen));
    },
    listed(session, tools) {
      // Not while the client waits.
      setTimeout(async () => {
        const isSeen = ({ server }: Tool) =>
          (session.server ?? server) === server && (session.servers?.includes(server) ?? true);
        const usable = toolbox.usable().flatMap(({ tool }) => (isSeen(tool) ? tool : []));
        savings.listed(session.name, {
          without: await tokensOfAll(usable, ({ definition }) => definition),
          list: await tokensOfAll(tools, (definition) => definition),
        });
      }, 100).unref();
    },
    lookedUp: (session, args, text) =>
      savings.lookedUp(session.name, estimateTokens(JSON.stringify(args)) + estimateTokens(text)),
    connected(session) {
      const leave = clients.connected(session);
      return () => {
        followUp.left(session.id);
        passthrough.left(session.id);
        leave();
      };
    },
    setLogLevel: clients.setLogLevel,
    rootsChanged(session) {
      servers.tellLegacy('notifications/roots/list_changed', (server) => clients.reaches(session, server));
    },
    onChange,
    onResourceUpdated,
    instructions: () =>
      'Gatehouse stands in front of all MCP servers of this person. Look for a tool with search_tools, read its parameters with get_tool_details, run it with execute_tool.',
  };
}

/** Below this a search only brushes a tool. */
const clearlyMeant = 0.5;

/** How long a call may take, for clients that look: in `_meta`, which no model is shown (row D4). */
const timeoutKey = 'gatehouse/timeoutMs';

const shownTool = (tool: Tool, tags: string[], timeoutMs: number): ShownTool => ({
  name: tool.shownName,
  server: tool.server,
  tool: tool.name,
  tags,
  definition: { ...tool.definition, _meta: { ...(tool.definition._meta as object), [timeoutKey]: timeoutMs } },
});

/** What a client puts before its model. Ten thousand tools are counted once, not for every session. */
const counted = new WeakMap<object, number>();

/** A little at a time: other clients' calls must not wait for it. */
async function tokensOfAll<T extends object>(
  all: readonly T[],
  definitionOf: (one: T) => Record<string, unknown>,
): Promise<number> {
  let sum = 0;
  let since = performance.now();
  for (const one of all) {
    let tokens = counted.get(one);
    if (tokens === undefined) {
      const { name, description, inputSchema } = definitionOf(one);
      tokens = estimateTokens(JSON.stringify({ name, description, inputSchema }));
      counted.set(one, tokens);
    }
    sum += tokens;
    if (performance.now() - since < 8) continue;
    await turn();
    since = performance.now();
  }
  return sum;
}
