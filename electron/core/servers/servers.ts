/** All configured servers: starts, discovers and stops them, and brings what they offer into the catalog. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Failure, fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import type { Catalog, CatalogDiff } from '../catalog/catalog.ts';
import { type DiscoveryEvent, discover, type PluginSet, slugOf } from '../discovery/discovery.ts';
import type { Host } from '../host.ts';
import { similarNames } from '../search/search.ts';
import type { ResolvedConnection } from '../secrets/secrets.ts';
import { createUpstream, type Upstream, type UpstreamState } from '../upstream/upstream.ts';
import { providerConfig, providerUpstream } from './provider-upstream.ts';

/** With more servers than this, those started only to be listed are stopped again at once, to save memory. */
const keptWarm = 8;
/** How long a start may keep others from starting. */
const slotMs = 1_500;
/** A storm of list_changed costs one discovery, not one each. */
const listChangedQuietMs = 150;

export interface Servers {
  /** Makes the running set equal to `configs` and the plug-ins that provide tools; only what differs is touched (row E5). */
  apply(configs: ServerConfig[]): { added: string[]; removed: string[]; changed: string[] };
  configs(): ServerConfig[];
  /** Throws SERVER_NOT_FOUND with similar names. */
  config(name: string): ServerConfig;
  slug(name: string): string;
  /** Whether its tools were discovered under guards (plug-ins) that are not those in force now. */
  isUnguarded(name: string): boolean;
  state(name: string): UpstreamState;
  /** The connection to use; throws SERVER_NOT_FOUND or SERVER_DISABLED. */
  upstream(name: string): Upstream;
  /** Lists what the server offers, starting it when needed. Concurrent callers share one discovery (row B1). */
  refresh(name: string): Promise<void>;
  /** Discovers every server that is unknown or changed; resolves when all are done or failed. */
  refreshStale(): Promise<void>;
  /** Discovers again every server that runs, and retries failed ones: the safety net (row B15). */
  refreshLive(): Promise<void>;
  restart(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface ServersOptions {
  host: Host;
  catalog: Catalog;
  plugins: PluginSet;
  resolve(server: ServerConfig): ResolvedConnection | Promise<ResolvedConnection>;
  startsAtOnce: number;
  idleTimeoutMs(): number;
  discoveryTimeoutMs(): number;
  onState(name: string): void;
  onDiscovered(name: string, diff: CatalogDiff): void;
  onDiscovery(event: DiscoveryEvent): void;
  /** Notifications that concern clients: resources/updated, message. */
  onNotification(name: string, method: string, params: Record<string, unknown>): void;
}

interface Entry {
  config: ServerConfig;
  /** For a plug-in's tools: the version of the plug-ins that it was opened with. */
  version?: string;
  slug: string;
  upstream: Upstream;
  discovering?: Promise<void>;
  /** `startedAt` of the process that was last listed. */
  listedStart?: number;
  listChanged?: NodeJS.Timeout;
  /** A call or the person wants it running. */
  wanted: boolean;
  /** How the last discovery went: the phases after the session, and why it failed if it did. */
  listing: Pick<UpstreamState, 'phases'> & { phase?: 'discovery'; failure?: Failure };
}

export function createServers(options: ServersOptions): Servers {
  const { host, catalog, plugins, onState, onDiscovered, onDiscovery } = options;
  const entries = new Map<string, Entry>();
  const limit = pLimit(options.startsAtOnce);

  function entryOf(name: string): Entry {
    const entry = entries.get(name);
    if (entry) return entry;
    const similar = similarNames(name, entries.keys(), 3);
    const hint = similar.length > 0 ? `Did you mean ${similar.map((known) => `"${known}"`).join(' or ')}?` : undefined;
    throw fail('SERVER_NOT_FOUND', `There is no server "${name}".`, { server: name, hint });
  }

  function open(config: ServerConfig): Entry {
    const plugin = plugins.providers.find(({ name }) => name === config.name);
    const entry: Entry = {
      config,
      slug: freeSlug(config.name),
      wanted: false,
      ...(plugin && { version: plugins.version }),
      listing: { phases: [] },
      upstream: plugin
        ? providerUpstream(plugin, (message) => host.log('warn', message))
        : createUpstream(config, {
            host,
            resolve: () => options.resolve(config),
            idleTimeoutMs: config.lifecycle?.idleTimeoutMs ?? options.idleTimeoutMs(),
            onState: (state) => stateChanged(entry, state),
            onNotification: (method, params) => notified(entry, method, params),
          }),
    };
    return entry;
  }

  function freeSlug(name: string): string {
    const taken = new Set([...entries.values()].map((entry) => entry.slug));
    const slug = slugOf(name);
    let free = slug;
    for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`;
    return free;
  }

  function stateChanged(entry: Entry, state: UpstreamState): void {
    onState(entry.config.name);
    const isNewProcess = state.status === 'ready' && state.startedAt !== entry.listedStart;
    if (isNewProcess && !entry.discovering) background(refresh(entry.config.name));
  }

  function notified(entry: Entry, method: string, params: Record<string, unknown>): void {
    if (method.endsWith('/list_changed')) {
      clearTimeout(entry.listChanged);
      entry.listChanged = setTimeout(() => background(refresh(entry.config.name)), listChangedQuietMs);
    } else options.onNotification(entry.config.name, method, params);
  }

  /** A failure is in the server's state already; anything else is a bug, which must not end the Core. */
  function background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof GatehouseError)) host.log('error', toFailure(error).message);
    });
  }

  function refresh(name: string): Promise<void> {
    const entry = entryOf(name);
    if (entry.discovering) return entry.discovering;
    const { promise, resolve } = Promise.withResolvers<Promise<void>>();
    // Whoever takes long gives its place away: a server that hangs never keeps the others waiting.
    background(
      limit(() => {
        const work = discoverOnce(entry);
        resolve(work);
        return Promise.race([work, sleep(slotMs, undefined, { ref: false })]);
      }),
    );
    entry.discovering = promise
      .then((work) => work)
      .finally(() => {
        delete entry.discovering;
        onState(name);
      });
    return entry.discovering;
  }

  async function discoverOnce(entry: Entry): Promise<void> {
    const { config, upstream, slug } = entry;
    const wasRunning = upstream.state.status === 'ready';
    entry.listing = { phases: [] };
    const begunAt = performance.now();
    await upstream.start().catch((error: unknown) => {
      const { code, message } = toFailure(error);
      const durationMs = performance.now() - begunAt;
      onDiscovery({ kind: 'discovery.failed', server: config.name, durationMs, code, message });
      throw error;
    });
    const version = plugins.version;
    const discovered = await listed(entry, () =>
      discover(upstream, {
        slug,
        plugins: plugins.plugins,
        timeoutMs: options.discoveryTimeoutMs(),
        otherTools: catalog.toolsBeside(config.name),
        onEvent: onDiscovery,
      }),
    );
    if (entries.get(config.name) !== entry) return;
    if (upstream.state.startedAt !== undefined) entry.listedStart = upstream.state.startedAt;
    const startedAt = performance.now();
    onDiscovered(config.name, catalog.replace(config.name, discovered, hashOf(config, version)));
    entry.listing.phases.push({ phase: 'registration', durationMs: performance.now() - startedAt });
    const onlyListed = !wasRunning && !entry.wanted && !config.lifecycle?.keepAlive;
    if (onlyListed && config.connection.type === 'stdio' && entries.size > keptWarm) await upstream.stop();
  }

  /** Times the discovery phase and keeps what went wrong in it for the person to see. */
  async function listed<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const done = () => ({ phase: 'discovery' as const, durationMs: performance.now() - startedAt });
    entry.listing = { phases: [], phase: 'discovery' };
    options.onState(entry.config.name);
    try {
      const result = await work();
      entry.listing = { phases: [done()] };
      return result;
    } catch (error) {
      entry.listing = { phases: [done()], phase: 'discovery', failure: toFailure(error, 'SERVER_PROTOCOL_ERROR') };
      throw error;
    }
  }

  /** The connection's own state, with the phases that come after it. */
  function stateOf({ upstream: { state }, listing }: Entry): UpstreamState {
    const phases = [...state.phases, ...listing.phases];
    if (state.status !== 'ready' || !listing.phase) return { ...state, phases };
    const { phase, failure } = listing;
    return failure
      ? { ...state, status: 'failed', phase, phases, failure }
      : { ...state, status: 'starting', phase, phases };
  }

  const isEnabled = (entry: Entry) => entry.config.enabled;
  const isOutdated = ({ config }: Entry) => catalog.entry(config.name)?.configHash !== hashOf(config, plugins.version);
  /** A discovery that was under way may still be of what is outdated now. */
  async function renew(entry: Entry): Promise<void> {
    const wasRunning = entry.discovering !== undefined;
    await refresh(entry.config.name);
    if (wasRunning && isOutdated(entry)) await refresh(entry.config.name);
  }
  const settle = (due: Entry[]) => Promise.allSettled(due.map(renew)).then(() => undefined);

  return {
    apply(servers) {
      const provided = new Set(plugins.providers.map(({ name }) => name));
      const configs = [...servers.filter(({ name }) => !provided.has(name)), ...plugins.providers.map(providerConfig)];
      const wanted = new Map(configs.map((config) => [config.name, config]));
      const report = { added: [] as string[], removed: [] as string[], changed: [] as string[] };
      for (const [name, entry] of entries) {
        const config = wanted.get(name);
        const isSame = !provided.has(name) || entry.version === plugins.version;
        if (config && isSame && JSON.stringify(config) === JSON.stringify(entry.config)) continue;
        clearTimeout(entry.listChanged);
        background(entry.upstream.stop());
        entries.delete(name);
        if (config) report.changed.push(name);
        else report.removed.push(name);
      }
      for (const config of configs) {
        if (entries.has(config.name)) continue;
        entries.set(config.name, open(config));
        if (!report.changed.includes(config.name)) report.added.push(config.name);
      }
      for (const name of report.removed) onDiscovered(name, catalog.remove(name));
      for (const name of [...report.added, ...report.changed]) onState(name);
      return report;
    },
    configs: () => [...entries.values()].map((entry) => entry.config),
    config: (name) => entryOf(name).config,
    slug: (name) => entryOf(name).slug,
    isUnguarded: (name) => plugins.guards && isOutdated(entryOf(name)),
    state: (name) => stateOf(entryOf(name)),
    upstream(name) {
      const entry = entryOf(name);
      if (!isEnabled(entry)) throw fail('SERVER_DISABLED', `The server "${name}" is switched off.`, { server: name });
      entry.wanted = true;
      return entry.upstream;
    },
    refresh,
    refreshStale() {
      const isStale = (entry: Entry) =>
        entry.config.connection.type !== 'stdio' || entry.config.lifecycle?.keepAlive === true || isOutdated(entry);
      return settle([...entries.values()].filter((entry) => isEnabled(entry) && isStale(entry)));
    },
    refreshLive() {
      const isDue = ({ upstream, config }: Entry) =>
        config.enabled && (upstream.state.status === 'ready' || upstream.state.status === 'failed');
      return settle([...entries.values()].filter(isDue));
    },
    async restart(name) {
      const entry = entryOf(name);
      await entry.upstream.stop();
      // A discovery that was under way has just lost its server; the person wants a new one, not its failure.
      await entry.discovering?.catch(() => undefined);
      entry.wanted = true;
      await refresh(name);
    },
    stop: (name) => entryOf(name).upstream.stop(),
    async close() {
      for (const entry of entries.values()) clearTimeout(entry.listChanged);
      await Promise.allSettled([...entries.values()].map((entry) => entry.upstream.stop()));
    },
  };
}

/** What decides whether a cached catalog entry still fits its server. */
function hashOf(config: ServerConfig, pluginVersion: string): string {
  return createHash('sha256')
    .update(JSON.stringify([config.connection, pluginVersion]))
    .digest('base64url')
    .slice(0, 16);
}
