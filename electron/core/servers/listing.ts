/** Lists what servers offer, with one discovery per server at a time and a limited number in parallel. */
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Failure, fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import type { Config } from '../config/schema.ts';
import type { Emit } from '../events.ts';
import type { Host } from '../host.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { PluginSet } from '../plugins/plugins.ts';
import { redactText } from '../secrets/redact.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import { discover } from '../tools/discovery/discovery.ts';
import type { CatalogDiff } from '../types.ts';
import { actOnPage } from './keeps-state.ts';
import { erasOf } from './lifecycle/eras.ts';
import type { StartMarks } from './lifecycle/start-marks.ts';
import { type Entry, hashOf, stateOf } from './server-entry.ts';

/** With more servers than this, a server that was started only for listing is stopped again to save memory. */
const maxKeptRunning = 8;
/** How long a start may occupy its slot, in milliseconds. */
const slotMs = 1_500;
/** Delay of a refresh after `list_changed`. It doubles while refreshes find no changes. */
const refreshDelayMs = { min: 150, max: 60_000 };

export interface ListingOptions {
  host: Host;
  marks: StartMarks;
  catalog: Catalog;
  entries: ReadonlyMap<string, Entry>;
  plugins: PluginSet;
  config(): Pick<Config, 'concurrentStarts' | 'discoveryTimeoutMs'>;
  onState(entry: Entry): void;
  onDiscovered(name: string, diff: CatalogDiff): void;
  emit: Emit;
}

export class Listing {
  readonly #options: ListingOptions;
  readonly #limit: LimitFunction;

  constructor(options: ListingOptions) {
    this.#options = options;
    this.#limit = pLimit(options.config().concurrentStarts);
  }

  /**
   * Runs work in the background. Ignores failures, which are already in the server's state. Any other error is a bug, which
   * must not end Core.
   */
  background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof ToolkeepError)) this.#options.host.log('error', toFailure(error).message);
    });
  }

  /** Lists what the server offers, starting it if needed. Concurrent callers share one discovery. */
  refresh(entry: Entry): Promise<void> {
    const { name, enabled } = entry.config;
    if (!enabled) return Promise.reject(fail('SERVER_DISABLED', `"${name}" is disabled.`, { server: name }));
    if (entry.discovering) return entry.discovering;
    const { promise, resolve } = Promise.withResolvers<Promise<void>>();
    this.background(
      this.#limit(() => {
        const work = this.#discoverOnce(entry);
        resolve(work);
        // Release the slot after a while, so a hung server cannot block the others.
        return Promise.race([work, sleep(slotMs, undefined, { ref: false })]);
      }),
    );
    entry.discovering = promise
      .then((work) => work)
      .finally(() => {
        delete entry.discovering;
        if (this.#isCurrent(entry)) this.#options.onState(entry);
      });
    return entry.discovering;
  }

  /** Call when the server has announced that one of its lists has changed. */
  listChanged(entry: Entry): void {
    const delayMs = entry.refreshDelayMs ?? refreshDelayMs.min;
    entry.refreshTimer ??= setTimeout(() => this.background(this.#refreshAfterChange(entry)), delayMs).unref();
    this.#options.emit('server.listChanged', { server: entry.config.name });
  }

  /** Resolves when the lists that the server has announced are read. Never rejects. */
  async relisted(entry: Entry): Promise<void> {
    const isAnnounced = entry.refreshTimer !== undefined;
    clearTimeout(entry.refreshTimer);
    await (isAnnounced ? this.#refreshAfterChange(entry) : entry.discovering)?.catch(() => undefined);
  }

  /** False for an entry that was removed or replaced. */
  #isCurrent(entry: Entry): boolean {
    return this.#options.entries.get(entry.config.name) === entry;
  }

  async #discoverOnce(entry: Entry): Promise<void> {
    // The entry may have been removed or changed while it waited for a slot.
    if (!this.#isCurrent(entry)) return;
    const { catalog, emit } = this.#options;
    const { handle } = entry;
    const server = entry.config.name;
    const startedAt = performance.now();
    const wasRunning = handle.state.status === 'ready';
    const timing = () => ({
      server,
      durationMs: performance.now() - startedAt,
      phases: wasRunning ? entry.listing.phases : stateOf(entry).phases,
    });
    entry.listing = { phases: [] };
    const unmark = this.#options.marks.begin(server);
    emit('discovery.started', { server });
    try {
      await handle.start();
      await this.#list(entry);
    } catch (error) {
      const { code, message } = toFailure(error);
      emit('discovery.failed', { ...timing(), code, message });
      if (code !== 'CANCELLED' && code !== 'SERVER_BREAKER_OPEN') this.#logFailure(server, code, message);
      throw error;
    } finally {
      unmark();
    }
    const toolCount = catalog.toolsOf(server).length;
    if (toolCount === 0 && !entry.provider)
      this.#options.host.log('warn', `"${server}" lists no tools. Toolkeep asks again after \`refreshInterval\`.`);
    emit('discovery.completed', { ...timing(), toolCount });
    if (!wasRunning && this.#isOnlyListed(entry)) await handle.stop();
  }

  /** Logs only the first line, because the rest of the message is the server's own output. */
  #logFailure(server: string, code: string, message: string): void {
    const [first = ''] = message.split('\n');
    this.#options.host.log('warn', `The discovery of "${server}" failed: ${redactText(first)} [${code}]`);
  }

  /** Stores whether the server keeps state for its client, because this decides about the first call of the next run, too. */
  #rememberState({ config: { name }, handle }: Entry, tools: readonly { name: string }[]): void {
    const eras = erasOf(this.#options.host.store);
    const known = eras.get(name) ?? { era: handle.state.era ?? 'legacy' };
    const keepsState = actOnPage(tools);
    if (keepsState === (known.keepsState ?? false)) return;
    eras.learn(name, { ...known, keepsState });
    handle.toolsChanged?.();
  }

  #isOnlyListed({ config, isNeeded }: Entry): boolean {
    const isProcess = config.connection.type === 'stdio';
    return isProcess && !isNeeded && !config.lifecycle?.keepAlive && this.#options.entries.size > maxKeptRunning;
  }

  async #list(entry: Entry): Promise<void> {
    const { plugins, catalog, onDiscovered } = this.#options;
    const { config, handle, slug, source } = entry;
    const { version } = plugins;
    const discovered = await this.#measureDiscovery(entry, () =>
      discover(source, {
        slug,
        plugins: plugins.plugins,
        // They were called when the server started.
        skipsBeforeDiscovery: entry.atStart?.isListed === false,
        timeoutMs: this.#options.config().discoveryTimeoutMs,
        otherTools: catalog.toolsBeside(config.name),
      }),
    );
    if (entry.atStart) entry.atStart.isListed = true;
    if (!this.#isCurrent(entry)) return;
    if (handle.state.startedAt !== undefined) entry.listedStart = handle.state.startedAt;
    this.#rememberState(entry, discovered.tools);
    const startedAt = performance.now();
    const diff = catalog.replace(config.name, discovered, hashOf(config, version));
    if (!isEmpty(diff)) entry.refreshDelayMs = refreshDelayMs.min;
    onDiscovered(config.name, entry.provider ? { ...diff, isProvided: true } : diff);
    entry.listing.phases.push({ phase: 'registration', durationMs: performance.now() - startedAt });
  }

  /** Measures the discovery phase and stores its failure for the server's state. */
  async #measureDiscovery<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const measured = () => ({ phase: 'discovery' as const, durationMs: performance.now() - startedAt });
    entry.listing = { phases: [], phase: 'discovery' };
    this.#options.onState(entry);
    try {
      const result = await work();
      entry.listing = { phases: [measured()] };
      return result;
    } catch (error) {
      const failure = discoveryFailure(error, entry.config.name);
      entry.listing = { phases: [measured()], phase: 'discovery', failure };
      throw error instanceof RpcError ? new ToolkeepError(failure, { cause: error }) : error;
    }
  }

  async #refreshAfterChange(entry: Entry): Promise<void> {
    delete entry.refreshTimer;
    // A discovery that is in progress may have read the list before the change.
    await entry.discovering?.catch(() => undefined);
    // Toolkeep lists a stopped server again at its next start.
    if (!this.#isCurrent(entry) || entry.handle.state.status !== 'ready') return;
    entry.refreshDelayMs = Math.min(refreshDelayMs.max, (entry.refreshDelayMs ?? refreshDelayMs.min) * 2);
    await this.refresh(entry);
  }
}

/** Adds to a JSON-RPC error the server that sent it and the request that failed. */
function discoveryFailure(error: unknown, server: string): Failure {
  const failure = { server, ...toFailure(error, 'SERVER_PROTOCOL_ERROR') };
  if (!(error instanceof RpcError)) return failure;
  return {
    ...failure,
    message: `"${server}" answered the request for its tools with an error: ${error.message} (JSON-RPC ${error.code}).`,
    hint: "Check the server's configuration and network access, and whether a newer version is available.",
  };
}

function isEmpty({ added, removed, changed, promptsChanged, resourcesChanged }: CatalogDiff): boolean {
  return added.length + removed.length + changed.length === 0 && !promptsChanged && !resourcesChanged;
}
