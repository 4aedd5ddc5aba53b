/** The servers that a client sees, limited to its scope. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, failureCodes } from '../../../shared/failure.ts';
import type { DiscoveryState } from '../../../shared/model/config-state.ts';
import { hiddenByPlugins, notSearched } from '../../../shared/server-facts.ts';
import type { Scopes } from '../policy/scope.ts';
import { type ServerViewSources, serverView } from '../servers/server-view.ts';
import { agentFailure } from '../tools/agent-failure.ts';
import type { TaggedTool } from '../tools/known-tools.ts';
import type { Scope } from '../types.ts';
import type { VisibleServers, Wait } from './services.ts';

/**
 * How long requests wait for a server that is connecting for the first time, in milliseconds: until `first` after the first
 * request that waited for it, and at least `again`. Searches wait little, so that a hanging server delays only the first ones.
 */
const waitMs: Record<Wait, { first: number; again: number }> = {
  search: { first: 2_000, again: 0 },
  servers: { first: 2_000, again: 2_000 },
  server: { first: 8_000, again: 2_000 },
  list: { first: 8_000, again: 0 },
};

export function createVisibleServers(
  sources: ServerViewSources & { scopes: Scopes; discovery(): DiscoveryState },
): VisibleServers {
  const { servers, knownTools, catalog, scopes } = sources;
  /** When a request first waited for a discovery. */
  const awaitedSince = new WeakMap<Promise<void>, number>();
  const inScope = (scope: Scope) => servers.configs().filter(({ name }) => scopes.hasServer(scope, name));

  /** Undefined if the scope has all of the server's tools. */
  const filterOf = (scope: Scope, server: string) =>
    scopes.isPartial(scope, server) ? (tool: TaggedTool) => scopes.hasTool(scope, tool) : undefined;

  /** True until the first discovery has ended, so that a client's first list names every server that may have tools. */
  const mayHaveTools = (name: string) =>
    servers.isEnabled(name) && !catalog.isDiscovered(name) && servers.state(name).status !== 'failed';

  const visible: VisibleServers = {
    absence(scope) {
      if (inScope(scope).length > 0) return undefined;
      return servers.configs().length > 0 ? noServersInScope : noServers[sources.discovery()];
    },
    standstill: () => servers.standstill(),
    views: (scope) =>
      inScope(scope).map((config) => {
        const { all, enabled } = knownTools.counts(config.name, filterOf(scope, config.name));
        const view = { ...serverView(config, sources), toolCount: all, enabledCount: enabled };
        const { failure, isLate } = scope.provided?.get(config.name) ?? {};
        if (failure) return { ...view, discoveredAt: undefined, status: 'failed', failure };
        if (isLate) return { ...view, discoveredAt: undefined, status: 'starting' };
        return config.enabled && servers.firstDiscovery(config.name) ? { ...view, status: 'starting' } : view;
      }),
    names: (scope) =>
      inScope(scope)
        .map(({ name }) => name)
        .filter((name) => knownTools.hasEnabled(name, filterOf(scope, name)) || mayHaveTools(name)),
    instructions: (scope, server = scope.server) =>
      inScope(scope).flatMap(({ name, enabled }) => {
        const text = sources.catalog.entry(name)?.discovered.instructions?.trim();
        if (!text || !enabled || (server !== undefined && name !== server)) return [];
        return { server: name, slug: servers.slug(name), text };
      }),
    connecting(scope, server = scope.server, what = server === undefined ? 'search' : 'server') {
      if (server !== undefined && !scopes.hasServer(scope, server)) return undefined;
      const names = server === undefined ? inScope(scope).map(({ name }) => name) : [server];
      // The request has already waited for its plug-ins.
      const late = names.filter((name) => scope.provided?.get(name)?.isLate);
      const unknown = names.filter((name) => !late.includes(name) && servers.firstDiscovery(name));
      if (unknown.length === 0) return late.length === 0 ? undefined : Promise.resolve(late);
      const now = performance.now();
      const { first, again } = waitMs[what];
      const waits = unknown.flatMap((name) => {
        const discovery = servers.firstDiscovery(name);
        if (!discovery) return [];
        const since = awaitedSince.get(discovery) ?? now;
        awaitedSince.set(discovery, since);
        const leftMs = Math.max(again, since + first - now);
        return leftMs > 0 ? Promise.race([discovery.catch(() => {}), sleep(leftMs, undefined, { ref: false })]) : [];
      });
      return Promise.all(waits).then(() => [...unknown.filter((name) => servers.firstDiscovery(name)), ...late]);
    },
    connectingWithTool(scope, listedName) {
      const names = inScope(scope).flatMap(({ name }) =>
        listedName.startsWith(`${servers.slug(name)}-`) ? [name] : [],
      );
      return Promise.all(names.map((name) => visible.connecting(scope, name)));
    },
    failures(scope, server = scope.server) {
      const ofPlugins: string[] = [];
      for (const [name, { failure }] of scope.provided ?? [])
        if (failure && (server === undefined || name === server)) ofPlugins.push(failure.message);
      const failed: FailedServer[] = [];
      const notes: string[] = [];
      for (const { name, enabled } of inScope(scope)) {
        if (scope.provided?.get(name)?.failure) continue;
        const { tools = [], warnings = [] } = sources.catalog.entry(name)?.discovered ?? {};
        const isAsked = server === undefined ? tools.length === 0 || servers.isUnavailable(name) : name === server;
        if (!isAsked) continue;
        if (!enabled) {
          if (server !== undefined) notes.push(`The user disabled ${name}, so its tools cannot run.`);
          continue;
        }
        const { status, failure } = servers.state(name);
        if (status === 'failed' && failure) failed.push({ id: name, failure });
        const note = hiddenByPlugins(name, warnings);
        if (note !== undefined) notes.push(note);
      }
      const summary = notSearched(failed);
      const causes =
        server === undefined ? (summary ? [`${summary} list_tools shows why.`] : []) : failed.map(withCause);
      return [...ofPlugins, ...causes, ...notes];
    },
  };
  return visible;
}

const noServersInScope = 'No servers. The user gives this client none of the servers.';
const noServers: Record<DiscoveryState, string> = {
  enabled: 'No servers. The user can import or add servers in Toolkeep.',
  disabled: 'No servers. The user has disabled Toolkeep in its config file.',
  invalid: 'No servers. The config file of Toolkeep contains an error that the user can fix.',
};

interface FailedServer {
  id: string;
  failure: Failure;
}

const longestCause = 300;

function withCause({ id, failure }: FailedServer): string {
  const { code, message, hint } = agentFailure(failure);
  const cause = message.length > longestCause ? `${message.slice(0, longestCause)}…` : message;
  return `${id} failed, ${code}: ${cause} ${hint ?? failureCodes[code]}`;
}
