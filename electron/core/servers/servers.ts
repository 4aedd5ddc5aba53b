/** All configured servers: starts, discovers and stops them, and brings what they offer into the catalog (rows E1, E5, E6). */
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import type { Catalog, CatalogDiff } from '../catalog/catalog.ts';
import type { PluginSet } from '../discovery/discovery.ts';
import type { Host } from '../host.ts';
import { similarNames } from '../search/search.ts';
import type { ResolvedConnection } from '../secrets/secrets.ts';
import type { SignIns } from '../sign-in/sign-in.ts';
import type { Emit } from '../signals.ts';
import {
  createUpstream,
  instancesOf,
  type Upstream,
  type UpstreamAsk,
  type UpstreamState,
} from '../upstream/upstream.ts';
import { type Entry, freeSlug, hashOf, stateOf } from './entry.ts';
import { createListing } from './listing.ts';
import { providerConfig, providerUpstream } from './provider-upstream.ts';

export interface Servers {
  /** Makes the running set equal to `configs` and the plug-ins that provide tools; only what differs is touched (row E5). */
  apply(configs: ServerConfig[]): { added: string[]; removed: string[]; changed: string[] };
  configs(): ServerConfig[];
  /** Throws SERVER_NOT_FOUND with similar names. */
  config(name: string): ServerConfig;
  /** False for one that is not there. */
  isEnabled(name: string): boolean;
  slug(name: string): string;
  /** Whether its tools were discovered under guards (plug-ins) that are not those in force now. */
  isUnguarded(name: string): boolean;
  state(name: string): UpstreamState;
  /** Its lists are being read, or it waits for its turn. */
  isDiscovering(name: string): boolean;
  /** It failed and is not back yet, so that nothing of it is offered (row E3). One that is merely stopped starts on use. */
  isLost(name: string): boolean;
  /** No server of its own: a plug-in brings the tools. */
  isProvided(name: string): boolean;
  /** `needed`: it can be used after a sign-in in the browser. Absent where nothing is known of one. */
  signInState(name: string): 'needed' | 'signedIn' | undefined;
  /** The connection to use; throws SERVER_NOT_FOUND or SERVER_DISABLED. */
  upstream(name: string): Upstream;
  /** Hands a client's notification on to the running servers that `concerns`, of the era that knows it. */
  tellLegacy(method: string, concerns: (name: string) => boolean): void;
  logLevelChanged(): void;
  /** The discovery under way of a server of which nothing is known yet. */
  firstDiscovery(name: string): Promise<void> | undefined;
  /** Lists what the server offers, starting it when needed. Concurrent callers share one discovery (row B1). */
  refresh(name: string): Promise<void>;
  /** Discovers every server that is unknown or changed; resolves when all are done or failed. */
  refreshStale(): Promise<void>;
  /** Discovers again every server that runs, and retries failed ones: the safety net (row B15). */
  refreshLive(): Promise<void>;
  /** Somebody looks at what it offers: what is known is listed again in the background once its time is over (row A9). */
  lookAt(name: string): void;
  restart(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  /** Opens the browser for the person; resolves when the server has been started with the new sign-in. */
  signIn(name: string): Promise<void>;
  signOut(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface ServersOptions {
  host: Host;
  catalog: Catalog;
  signIns: SignIns;
  plugins: PluginSet;
  resolve(server: ServerConfig): ResolvedConnection | Promise<ResolvedConnection>;
  startsAtOnce: number;
  idleTimeoutMs(): number;
  discoveryTimeoutMs(): number;
  onState(name: string): void;
  /** What a server offers went away or came back with it, though its lists are the same (row E3). */
  onReach(): void;
  onDiscovered(name: string, diff: CatalogDiff): void;
  /** Tells of the steps of each discovery. */
  emit: Emit;
  /** What a server asks while no call of a client runs. */
  onAsk(name: string, ask: UpstreamAsk, signal: AbortSignal): Promise<Record<string, unknown>> | undefined;
  /** From which level on a legacy server is to log. */
  logLevel(name: string): string | undefined;
  /** Notifications that concern clients: resources/updated, elicitation/complete. */
  onNotification(name: string, method: string, params: Record<string, unknown>): void;
}

export function createServers(options: ServersOptions): Servers {
  const { host, catalog, plugins, signIns, onState, onDiscovered } = options;
  const entries = new Map<string, Entry>();
  const slugs = new Set<string>();
  const listing = createListing({
    ...options,
    entries,
    onState(entry) {
      onState(entry.config.name);
      noteReach(entry);
    },
  });
  const { background } = listing;

  function entryOf(name: string): Entry {
    const entry = entries.get(name);
    if (entry) return entry;
    const similar = similarNames(name, entries.keys(), 3);
    const hint = similar.length > 0 ? `Did you mean ${similar.map((known) => `"${known}"`).join(' or ')}?` : undefined;
    throw fail('SERVER_NOT_FOUND', `There is no server "${name}".`, { server: name, hint });
  }

  /** `before`: the end of what ran under this name until now, which may hold a lock or a port. */
  function open(config: ServerConfig, before: Promise<unknown> | undefined): Entry {
    const plugin = plugins.providers.find(({ name }) => name === config.name);
    const upstream: Upstream = plugin
      ? providerUpstream(plugin, (message) => host.log('warn', message))
      : createUpstream(config, {
          host,
          async resolve(connection) {
            await before;
            return options.resolve({ ...config, connection });
          },
          idleTimeoutMs: config.lifecycle?.idleTimeoutMs ?? options.idleTimeoutMs(),
          tuning: { startTimeoutMs: config.lifecycle?.startTimeoutMs ?? options.discoveryTimeoutMs() },
          authorization: (url, instance = 0) => signIns.authorization({ server: config.name, instance }, url),
          onState: (state) => stateChanged(entry, state),
          onNotification: (method, params) => notified(entry, method, params),
          onAsk: (ask, signal) => options.onAsk(config.name, ask, signal),
          logLevel: () => options.logLevel(config.name),
        });
    const entry: Entry = {
      config,
      slug: freeSlug(config.name, slugs),
      wanted: false,
      isLost: false,
      ...(plugin && { version: plugins.version }),
      listing: { phases: [] },
      upstream,
      source: {
        server: config,
        start: (signal) => upstream.start(signal),
        request: (request) => upstream.request({ ...request, passive: true }),
      },
    };
    return entry;
  }

  function stateChanged(entry: Entry, state: UpstreamState): void {
    // What was removed or replaced is nobody's business any more.
    if (entries.get(entry.config.name) !== entry) return;
    onState(entry.config.name);
    noteReach(entry);
    const isNewProcess = state.status === 'ready' && state.startedAt !== entry.listedStart;
    if (isNewProcess && !entry.discovering) background(listing.refresh(entry));
  }

  function noteReach(entry: Entry): void {
    const { status } = stateOf(entry);
    // One that is started again is not back before it is ready.
    const isLost = status === 'starting' ? entry.isLost : status === 'failed';
    if (isLost === entry.isLost) return;
    entry.isLost = isLost;
    options.onReach();
  }

  function notified(entry: Entry, method: string, params: Record<string, unknown>): void {
    if (method.endsWith('/list_changed')) listing.changed(entry);
    else options.onNotification(entry.config.name, method, params);
  }

  async function restart(name: string): Promise<void> {
    const entry = entryOf(name);
    await entry.upstream.stop();
    // A discovery that was under way has just lost its server; the person wants a new one, not its failure.
    await entry.discovering?.catch(() => undefined);
    entry.wanted = true;
    await listing.refresh(entry);
  }

  const isOutdated = ({ config }: Entry) => catalog.entry(config.name)?.configHash !== hashOf(config, plugins.version);
  /** A discovery that was under way may still be of what is outdated now. */
  async function renew(entry: Entry): Promise<void> {
    const wasRunning = entry.discovering !== undefined;
    await listing.refresh(entry);
    if (wasRunning && isOutdated(entry)) await listing.refresh(entry);
  }
  const settle = (due: (entry: Entry) => boolean) =>
    Promise.allSettled([...entries.values()].filter((entry) => entry.config.enabled && due(entry)).map(renew));

  return {
    apply(servers) {
      const provided = new Set(plugins.providers.map(({ name }) => name));
      const configs = [...servers.filter(({ name }) => !provided.has(name)), ...plugins.providers.map(providerConfig)];
      const wanted = new Map(configs.map((config) => [config.name, config]));
      const report = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
      const ending = new Map<string, Promise<void>>();
      for (const [name, entry] of entries) {
        const config = wanted.get(name);
        const isSame = !provided.has(name) || entry.version === plugins.version;
        if (config && isSame && JSON.stringify(config) === JSON.stringify(entry.config)) continue;
        clearTimeout(entry.listChanged);
        entries.delete(name);
        slugs.delete(entry.slug);
        ending.set(name, entry.upstream.stop());
        background(ending.get(name) as Promise<void>);
        if (config) report.changed.push(name);
        else report.removed.push(name);
      }
      for (const config of configs) {
        if (entries.has(config.name)) continue;
        entries.set(config.name, open(config, ending.get(config.name)));
        if (!report.changed.includes(config.name)) report.added.push(config.name);
      }
      // Those that went while no Core ran count too.
      const unknown = catalog.servers().filter((name) => !wanted.has(name));
      for (const name of unknown) onDiscovered(name, catalog.remove(name));
      for (const name of [...report.added, ...report.changed]) onState(name);
      return report;
    },
    configs: () => [...entries.values()].map((entry) => entry.config),
    isEnabled: (name) => entries.get(name)?.config.enabled === true,
    config: (name) => entryOf(name).config,
    slug: (name) => entryOf(name).slug,
    isUnguarded: (name) => plugins.guards && isOutdated(entryOf(name)),
    state: (name) => stateOf(entryOf(name)),
    isDiscovering: (name) => entryOf(name).discovering !== undefined,
    isLost: (name) => entryOf(name).isLost,
    isProvided: (name) => plugins.providers.some((plugin) => plugin.name === name),
    signInState(name) {
      const { config, upstream } = entryOf(name);
      const accounts = Array.from(instancesOf(config), (_, instance) => ({ server: name, instance }));
      const failures = [stateOf(entryOf(name)), ...(upstream.state.instances ?? [])].map(({ failure }) => failure);
      const isRefused = failures.some((failure) => failure?.code === 'SERVER_AUTH_REQUIRED');
      if (isRefused && accounts.some(signIns.isOffered)) return 'needed';
      return accounts.some(signIns.isSignedIn) ? 'signedIn' : undefined;
    },
    upstream(name) {
      const entry = entryOf(name);
      if (!entry.config.enabled)
        throw fail('SERVER_DISABLED', `The server "${name}" is switched off.`, { server: name });
      entry.wanted = true;
      return entry.upstream;
    },
    tellLegacy(method, concerns) {
      for (const { config, upstream } of entries.values())
        if (upstream.state.era === 'legacy' && concerns(config.name)) background(upstream.notify(method));
    },
    logLevelChanged() {
      for (const { upstream } of entries.values()) upstream.logLevelChanged();
    },
    firstDiscovery: (name) => (catalog.entry(name) ? undefined : entryOf(name).discovering),
    refresh: async (name) => listing.refresh(entryOf(name)),
    async refreshStale() {
      await settle(
        (entry) =>
          entry.config.connection.type !== 'stdio' || entry.config.lifecycle?.keepAlive === true || isOutdated(entry),
      );
    },
    async refreshLive() {
      await settle(({ upstream: { state } }) => state.status === 'ready' || state.status === 'failed');
    },
    lookAt(name) {
      const entry = entryOf(name);
      const isExpired = catalog.isStale(name, hashOf(entry.config, plugins.version));
      // One that failed is tried again by its breaker's and the person's pace, not by every look.
      if (isExpired && entry.config.enabled && stateOf(entry).status !== 'failed') background(renew(entry));
    },
    restart,
    stop: (name) => entryOf(name).upstream.stop(),
    async signIn(name) {
      const { config, upstream } = entryOf(name);
      const states = upstream.state.instances ?? [];
      const all = [...instancesOf(config).entries()];
      const lacking = all.filter(
        ([index]) =>
          states[index]?.failure?.code === 'SERVER_AUTH_REQUIRED' ||
          !signIns.isSignedIn({ server: name, instance: index }),
      );
      for (const [instance, at] of lacking.length > 0 ? lacking : all) {
        const resolved = await options.resolve(at);
        if (resolved.type !== 'stdio') await signIns.signIn({ server: name, instance }, resolved.url, resolved.oauth);
      }
      await restart(name);
    },
    async signOut(name) {
      const { config, upstream } = entryOf(name);
      for (const instance of instancesOf(config).keys()) await signIns.signOut({ server: name, instance });
      await upstream.stop();
    },
    async close() {
      signIns.close();
      for (const entry of entries.values()) clearTimeout(entry.listChanged);
      await Promise.allSettled([...entries.values()].map((entry) => entry.upstream.stop()));
    },
  };
}
