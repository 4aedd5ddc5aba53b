/** Listing what servers offer: one discovery per server at a time, few at once, and no more than a change is worth. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { type Failure, fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import type { Catalog, CatalogDiff } from '../catalog/catalog.ts';
import { discover, type PluginSet } from '../discovery/discovery.ts';
import type { Host } from '../host.ts';
import type { Emit } from '../signals.ts';
import { UpstreamRpcError } from '../upstream/upstream.ts';
import { type Entry, hashOf, stateOf } from './entry.ts';

/** With more servers than this, those started only to be listed are stopped again at once, to save memory. */
const keptWarm = 8;
/** How long a start may keep others from starting. */
const slotMs = 1_500;
/** A storm of list_changed costs one discovery, not one each; a server that cries wolf is heard ever less often. */
const quietMs = { least: 150, most: 60_000 };

export interface Listing {
  /** Lists what the server offers, starting it when needed. Concurrent callers share one discovery (row B1). */
  refresh(entry: Entry): Promise<void>;
  /** The server says that a list of its changed. */
  changed(entry: Entry): void;
  /** Runs work whose failure is in the server's state already. */
  background(work: Promise<unknown>): void;
}

export interface ListingOptions {
  host: Host;
  catalog: Catalog;
  entries: ReadonlyMap<string, Entry>;
  plugins: PluginSet;
  startsAtOnce: number;
  discoveryTimeoutMs(): number;
  onState(entry: Entry): void;
  onDiscovered(name: string, diff: CatalogDiff): void;
  emit: Emit;
}

export function createListing(options: ListingOptions): Listing {
  const { host, catalog, entries, plugins, emit } = options;
  const limit = pLimit(options.startsAtOnce);
  const isCurrent = (entry: Entry) => entries.get(entry.config.name) === entry;

  /** A failure is in the server's state already; anything else is a bug, which must not end the Core. */
  function background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof GatehouseError)) host.log('error', toFailure(error).message);
    });
  }

  function refresh(entry: Entry): Promise<void> {
    const { name, enabled } = entry.config;
    if (!enabled) return Promise.reject(fail('SERVER_DISABLED', `"${name}" is switched off.`, { server: name }));
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
        if (isCurrent(entry)) options.onState(entry);
      });
    return entry.discovering;
  }

  async function discoverOnce(entry: Entry): Promise<void> {
    // It was removed or changed while it waited for its turn.
    if (!isCurrent(entry)) return;
    const { config, upstream } = entry;
    const server = config.name;
    const begunAt = performance.now();
    const wasRunning = upstream.state.status === 'ready';
    const passed = () => ({
      server,
      durationMs: performance.now() - begunAt,
      phases: wasRunning ? entry.listing.phases : stateOf(entry).phases,
    });
    entry.listing = { phases: [] };
    emit('discovery.started', { server });
    try {
      await upstream.start();
      await list(entry);
    } catch (error) {
      const { code, message } = toFailure(error);
      emit('discovery.failed', { ...passed(), code, message });
      throw error;
    }
    emit('discovery.completed', { ...passed(), toolCount: catalog.toolsOf(server).length });
    const onlyListed = !wasRunning && !entry.wanted && !config.lifecycle?.keepAlive;
    if (onlyListed && config.connection.type === 'stdio' && entries.size > keptWarm) await upstream.stop();
  }

  async function list(entry: Entry): Promise<void> {
    const { config, upstream, slug, source } = entry;
    const { version } = plugins;
    const discovered = await timed(entry, () =>
      discover(source, {
        slug,
        plugins: plugins.plugins,
        timeoutMs: options.discoveryTimeoutMs(),
        otherTools: catalog.toolsBeside(config.name),
      }),
    );
    if (!isCurrent(entry)) return;
    if (upstream.state.startedAt !== undefined) entry.listedStart = upstream.state.startedAt;
    const startedAt = performance.now();
    const diff = catalog.replace(config.name, discovered, hashOf(config, version));
    if (!isEmpty(diff)) entry.quietMs = quietMs.least;
    options.onDiscovered(config.name, diff);
    entry.listing.phases.push({ phase: 'registration', durationMs: performance.now() - startedAt });
  }

  /** Times the discovery phase and keeps what went wrong in it for the person to see. */
  async function timed<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const done = () => ({ phase: 'discovery' as const, durationMs: performance.now() - startedAt });
    entry.listing = { phases: [], phase: 'discovery' };
    options.onState(entry);
    try {
      const result = await work();
      entry.listing = { phases: [done()] };
      return result;
    } catch (error) {
      const failure = listingFailure(error, entry.config.name);
      entry.listing = { phases: [done()], phase: 'discovery', failure };
      throw error instanceof UpstreamRpcError ? new GatehouseError(failure, { cause: error }) : error;
    }
  }

  async function lookAgain(entry: Entry): Promise<void> {
    delete entry.listChanged;
    // A discovery under way may have read the list before it changed.
    await entry.discovering?.catch(() => undefined);
    // A stopped one is listed when it starts next.
    if (!isCurrent(entry) || entry.upstream.state.status !== 'ready') return;
    entry.quietMs = Math.min(quietMs.most, (entry.quietMs ?? quietMs.least) * 2);
    await refresh(entry);
  }

  return {
    refresh,
    background,
    changed(entry) {
      entry.listChanged ??= setTimeout(() => background(lookAgain(entry)), entry.quietMs ?? quietMs.least).unref();
    },
  };
}

/** A server's own error answer says what it says, but not who said it or when. */
function listingFailure(error: unknown, server: string): Failure {
  const failure = { server, ...toFailure(error, 'SERVER_PROTOCOL_ERROR') };
  if (!(error instanceof UpstreamRpcError)) return failure;
  return {
    ...failure,
    message: `"${server}" answered with an error when it was asked for its tools: ${error.message} (JSON-RPC ${error.code}).`,
    hint: 'The fault is in the server; see whether there is a newer version of it.',
  };
}

function isEmpty({ added, removed, changed, promptsChanged, resourcesChanged }: CatalogDiff): boolean {
  return added.length + removed.length + changed.length === 0 && !promptsChanged && !resourcesChanged;
}
