/** The tools that a client sees, limited to its scope: lists, names and search. */
import { ToolkeepError } from '../../../shared/failure.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { decide } from '../policy/decide/decide.ts';
import { type EnableRequests, enableRequestOf } from '../policy/enable-requests.ts';
import type { State } from '../policy/rows.ts';
import type { Scopes } from '../policy/scope.ts';
import type { FollowUp } from '../search/follow-up.ts';
import type { Servers } from '../servers/servers.ts';
import type { Store } from '../settings.ts';
import { appUseOf, isForApps } from '../tools/apps.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import { withoutTaskSupport } from '../tools/compatibility.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import { nameWithin } from '../tools/names.ts';
import type { Scope } from '../types.ts';
import { mayHaveUris, withReadableUris, withShownUris } from './app-uris.ts';
import type { OpenApps } from './open-apps.ts';
import type { ListedTool, VisibleTools } from './services.ts';

/** The maximum number of hits to filter by a scope's tags. */
const filteredHits = 1_000;
/** Disabled tools below this relevance are not close enough to the query to mention. */
const minDisabledRelevance = 0.5;
/** The maximum number of tools with apps that lazy mode lists. A client can show an app only for a listed tool. */
const maxAppTools = 20;
/** The key of a call's time limit, for clients that read `_meta`. Models never see it. */
const timeoutKey = 'toolkeep/timeoutMs';

export function createVisibleTools(options: {
  servers: Servers;
  knownTools: KnownTools;
  catalog: Catalog;
  scopes: Scopes;
  state(): State;
  enableRequests: EnableRequests;
  followUp: FollowUp;
  openApps: Pick<OpenApps, 'servers'>;
  store: Store;
}): VisibleTools {
  const { servers, knownTools, catalog, scopes, enableRequests } = options;

  /** A scope with a single server uses the server's own names, because there is no other server to conflict with. */
  const nameIn = (scope: Scope, tool: Tool) => (scope.server === undefined ? tool.shownName : tool.name);

  const isInScope = (scope: Scope, { server, tool }: { server: string; tool: string }) =>
    scopes.hasTool(scope, { server, name: tool });

  const usableIn = (scope: Scope, fits?: (tool: Tool) => boolean) =>
    knownTools
      .usable(fits)
      .filter(({ tool }) => scopes.hasTool(scope, tool))
      .sort(byServer);

  /** Reading any list of tools counts, so that a list does not stay old because no client names its server. */
  function refreshExpired(scope: Scope, server = scope.server): void {
    if (!catalog.hasExpired()) return;
    const names = server === undefined ? servers.configs().map(({ name }) => name) : [server];
    for (const name of names) if (scopes.hasServer(scope, name)) servers.refreshIfExpired(name);
  }

  /** Finds a tool by its listed name, which ends with a hash if it exceeded the client's limit on names. */
  function ofSingleServer(server: string, name: string): Tool | undefined {
    const known = catalog.tool(server, name);
    if (known || !/-[a-z0-9]{6}$/.test(name)) return known;
    return catalog.toolsOf(server).find((tool) => nameWithin(tool.name, tool.key, 0) === name);
  }

  const shown = <T extends Tool['definition']>(scope: Scope, tool: Tool, definition: T): T =>
    scope.server === undefined && appUseOf(tool) ? withShownUris(servers.slug(tool.server), definition) : definition;

  /** Whether a server other than `server` has an app at this URI. */
  const isSharedBy = (scope: Scope, server: string, uri: string) =>
    Array.from(catalog.serversWithApp(uri)).some(
      (name) => name !== server && servers.findConfig(name)?.enabled === true && scopes.hasServer(scope, name),
    );

  function listedTool(scope: Scope, tool: Tool, tags: readonly string[]): ListedTool {
    const _meta = { ...(tool.definition._meta as object), [timeoutKey]: servers.callTimeoutMs(tool.server) };
    return {
      name: nameIn(scope, tool),
      server: tool.server,
      tool: tool.name,
      tags,
      app: appUseOf(tool),
      definition: shown(scope, tool, { ...withoutTaskSupport(tool.definition), _meta }),
    };
  }

  return {
    ofServer(scope, server) {
      scopes.requireServer(scope, server);
      servers.refreshIfExpired(server);
      const failure = scope.provided?.get(server)?.failure;
      if (failure) throw new ToolkeepError(failure);
      return knownTools.ofServer(server).filter((tool) => scopes.hasTool(scope, tool) && appUseOf(tool) !== 'only');
    },
    find(scope, server, tool) {
      scopes.requireServer(scope, server);
      servers.refreshIfExpired(server);
      scopes.requireTool(scope, server, tool);
      const found = knownTools.find(server, tool, (other) => scopes.hasTool(scope, other));
      return { ...found, asks: scopes.needOf(scope, server, tool) ?? found.asks };
    },
    appTools: (scope) =>
      usableIn(scope, (tool) => appUseOf(tool) === 'shown')
        .slice(0, maxAppTools)
        .map(({ tool, tags }) => listedTool(scope, tool, tags)),
    appMeta(scope, server, name) {
      const tool = catalog.tool(server, name);
      const meta = tool && appUseOf(tool) && shown(scope, tool, tool.definition)._meta;
      return (meta as { ui?: unknown } | undefined)?.ui;
    },
    withReadableUris(scope, server, result) {
      // The reserved server "toolkeep" has no entry.
      if (!mayHaveUris(result) || scope.server !== undefined || !catalog.entry(server)) return result;
      return withReadableUris(servers.slug(server), result, (uri) => isSharedBy(scope, server, uri));
    },
    listed(scope) {
      refreshExpired(scope);
      return usableIn(scope).map(({ tool, tags }) => listedTool(scope, tool, tags));
    },
    byListedName(scope, name) {
      // Also finds disabled tools, so that the call is refused with the reason.
      const tool = scope.server === undefined ? catalog.byShownName(name) : ofSingleServer(scope.server, name);
      return tool && { server: tool.server, tool: tool.name };
    },
    ofOpenApp({ id, scope }, name) {
      for (const server of options.openApps.servers(id)) {
        const tool = scopes.hasServer(scope, server) ? catalog.tool(server, name) : undefined;
        if (tool && isForApps(tool.definition)) return { server, tool: name };
      }
      return undefined;
    },
    async search(client, query, { server = client.scope.server, limit }) {
      const { scope } = client;
      if (server !== undefined) {
        scopes.requireServer(scope, server);
        servers.config(server);
      }
      refreshExpired(scope, server);
      const isLimited = scope.profile !== undefined || scopes.isPartial(scope);
      const found = await knownTools.search(query, { server, limit: isLimited ? filteredHits : limit });
      const hits = isLimited ? found.filter((hit) => isInScope(scope, hit)).slice(0, limit) : found;
      const keys = hits.map((hit) => toolKey(hit.server, hit.tool));
      options.followUp.onSearch(client.id, query, keys);
      return hits;
    },
    unavailableMatch(client, query, { server = client.scope.server, above }) {
      const fits = (tool: Pick<Tool, 'server' | 'name'>) => scopes.hasTool(client.scope, tool);
      const best = knownTools.bestUnavailable(query, { server, fits });
      if (!best || best.relevance < minDisabledRelevance || best.relevance <= above) return undefined;
      const { tool } = best;
      const about = { caller: client, server: tool.server, tool: tool.name };
      const verdict = decide(options.state(), { ...about, now: Date.now(), facts: {} });
      const request = verdict.kind === 'refuse' && enableRequestOf(verdict.because, about, knownTools);
      if (!request) return `A tool of ${tool.server} matches, but this server is not available now.`;
      if (options.store.get('enableRequests') === 'never') return undefined;
      const match = tool.held
        ? `A tool of ${tool.server} that matches is held until the user accepts it.`
        : `Disabled: ${tool.server}/${tool.name}.`;
      return `${match} ${enableRequests.request(request)}`.trim();
    },
  };
}

/** Sorts by server, so that the order does not depend on the order of discovery. Models' prompt caches rely on a fixed order. */
function byServer(a: { tool: Tool }, b: { tool: Tool }): number {
  if (a.tool.server === b.tool.server) return 0;
  return a.tool.server < b.tool.server ? -1 : 1;
}
