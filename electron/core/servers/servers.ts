/** The registry of configured servers: starts, discovers and stops them, and keeps the catalog up to date. */
import { fail } from '../../../shared/failure.ts';
import type { ConfinementReport } from '../../../shared/model/sandbox.ts';
import type { ServerConfig, ServerTrial } from '../../../shared/model/server.ts';
import { standstill } from '../../../shared/server-facts.ts';
import type { ProviderContext } from '../plugins/plugin-api.ts';
import type { ToolList } from '../plugins/provider-lists.ts';
import type { MissingSecrets, PromptOptions } from '../secrets/prompt-missing-secrets.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import { type Discovered, discover } from '../tools/discovery/discovery.ts';
import { freeSlug } from '../tools/names.ts';
import type { CatalogDiff } from '../types.ts';
import { createEntry, type EntryOptions } from './create-entry.ts';
import { declareTools } from './declared-tools.ts';
import { isPerClient } from './lifecycle/client-instances.ts';
import { createServerHandle } from './lifecycle/create-server.ts';
import { erasOf } from './lifecycle/eras.ts';
import { createStartMarks } from './lifecycle/start-marks.ts';
import { Listing } from './listing.ts';
import { createServerSignIn } from './oauth/server-sign-in.ts';
import { providerConfig } from './provider-server.ts';
import { createRediscovery } from './rediscovery.ts';
import type { ListRoots } from './roots.ts';
import { type Entry, stateOf } from './server-entry.ts';
import { trialOptions } from './start-options.ts';
import { tryServer } from './try-server.ts';
import type { ServerHandle, ServerState } from './types.ts';
import { hintForServer } from './unknown-server.ts';
import { foldersOfCaller } from './working-folders.ts';

export interface ServersOptions extends Omit<EntryOptions, 'marks' | 'resolve'> {
  catalog: Catalog;
  missingSecrets: Pick<MissingSecrets, 'resolve' | 'prompt'>;
  onState(name: string): void;
  /** Called when a server becomes unavailable, or available again, without a change of its lists. */
  onAvailabilityChanged(): void;
  onDiscovered(name: string, diff: CatalogDiff): void;
}

export interface ApplyReport {
  added: string[];
  removed: string[];
  changed: string[];
}

export class Servers {
  /** While Toolkeep is paused, no tool can be called. */
  isPaused = false;
  readonly #options: ServersOptions & Pick<EntryOptions, 'marks' | 'resolve'>;
  readonly #entries = new Map<string, Entry>();
  readonly #slugs = new Set<string>();
  readonly #listing: Listing;
  readonly #rediscovery: ReturnType<typeof createRediscovery>;
  readonly #signIn: ReturnType<typeof createServerSignIn>;

  constructor(given: ServersOptions) {
    const options = { ...given, marks: createStartMarks(given.host), resolve: given.missingSecrets.resolve };
    this.#options = options;
    this.#signIn = createServerSignIn(options);
    this.#listing = new Listing({
      ...options,
      entries: this.#entries,
      onState: (entry) => {
        options.onState(entry.config.name);
        this.#updateAvailability(entry);
      },
    });
    this.#rediscovery = createRediscovery({ ...options, entries: this.#entries, listing: this.#listing });
  }

  // Configuration

  /** Makes the registry match `servers` and the plug-ins that provide tools. Leaves unchanged servers alone. */
  apply(servers: ServerConfig[]): ApplyReport {
    const { catalog, plugins, onDiscovered, onState } = this.#options;
    const provided = new Set(plugins.providers.map(({ name }) => name));
    const configs = [...servers.filter(({ name }) => !provided.has(name)), ...plugins.providers.map(providerConfig)];
    const wanted = new Map(configs.map((config) => [config.name, config]));
    const report: ApplyReport = { added: [], removed: [], changed: [] };
    const stopping = this.#removeChanged(wanted, provided, report);
    for (const config of configs) {
      if (this.#entries.has(config.name)) continue;
      const own = { slug: freeSlug(config, this.#slugs), previous: stopping.get(config.name) };
      const entry = createEntry(config, own, this.#options, {
        state: (changed, state) => this.#stateChanged(changed, state),
        listChanged: (changed) => this.#listing.listChanged(changed),
      });
      this.#entries.set(config.name, entry);
      if (!report.changed.includes(config.name)) report.added.push(config.name);
    }
    // Includes servers that were removed while Core was not running.
    const unknown = catalog.servers().filter((name) => !wanted.has(name));
    for (const name of unknown) onDiscovered(name, catalog.remove(name));
    for (const name of [...report.added, ...report.changed]) onState(name);
    for (const { config, slug } of this.#entries.values())
      this.#listing.background(declareTools(config, slug, { catalog, onDiscovered }));
    return report;
  }

  configs(): ServerConfig[] {
    return [...this.#entries.values()].map((entry) => entry.config);
  }

  /** The folders against which a server, or any server, may resolve paths, other than the home folder. */
  workingFolders = (server?: string): readonly string[] => {
    if (server !== undefined) return this.#entry(server).workingFolders;
    return Array.from(this.#entries.values(), (entry) => entry.workingFolders).flat();
  };

  /** The folders that the server may receive because of the caller's roots. */
  async foldersOfCaller(name: string, roots: ListRoots | undefined): Promise<string[]> {
    return roots ? foldersOfCaller(this.config(name), this.#options.host.store, roots) : [];
  }

  /** Throws SERVER_NOT_FOUND with similar names. */
  config(name: string): ServerConfig {
    return this.#entry(name).config;
  }

  findConfig(name: string): ServerConfig | undefined {
    return this.#entries.get(name)?.config;
  }

  /** False for an unknown server. */
  isEnabled(name: string): boolean {
    return this.#entries.get(name)?.config.enabled === true;
  }

  slug(name: string): string {
    return this.#entry(name).slug;
  }

  /** Whether a plug-in provides the tools. */
  isPlugin(name: string): boolean {
    return this.#options.plugins.providers.some((plugin) => plugin.name === name);
  }

  /** Resolves when the lists that a server has announced are read. Never rejects. */
  async relisted(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry) await this.#listing.relisted(entry);
  }

  // Plug-in tools

  /** The enabled plug-ins that provide tools. */
  providers(): string[] {
    if (this.#options.plugins.providers.length === 0) return [];
    return [...this.#entries.values()].flatMap(({ provider, config }) =>
      provider && config.enabled ? config.name : [],
    );
  }

  /** Lists a plug-in's tools for a client's request. Resolves when the catalog has them. */
  async listProvided(name: string, context: ProviderContext): Promise<ToolList> {
    const entry = this.#entry(name);
    const tools = (await entry.provider?.listFor(context)) ?? [];
    // A discovery in progress may have collected its tools before this listing.
    for (let tries = 0; tries < 2 && entry.provider?.hasNewTools(); tries += 1) await this.#listing.refresh(entry);
    return tools;
  }

  /** The last list for this kind of context, even if it has expired. */
  lastProvided(name: string, context: ProviderContext): ToolList | undefined {
    return this.#entry(name).provider?.lastFor(context);
  }

  // State

  state(name: string): ServerState {
    return stateOf(this.#entry(name));
  }

  /** The limits of a confined server and the hosts that it reached. Undefined unless it was confined since Toolkeep started. */
  confinement(name: string): ConfinementReport | undefined {
    return this.#entry(name).report.view();
  }

  /** True while a discovery of the server is running or queued. */
  isDiscovering(name: string): boolean {
    return this.#entry(name).discovering !== undefined;
  }

  /**
   * True if the server cannot be started, so its tools are not offered until it recovers. A stopped or crashed server is
   * available: the next call starts it.
   */
  isUnavailable(name: string): boolean {
    return this.#entry(name).isUnavailable;
  }

  /** True if its tools can be called. False if they were discovered with guard plug-ins other than the active ones. */
  isUsable = (name: string): boolean => {
    const entry = this.#entries.get(name);
    if (this.isPaused || !entry?.config.enabled || entry.isUnavailable) return false;
    return !this.#options.plugins.hasGuards || !this.#rediscovery.isOutdated(entry);
  };

  /** Sentences about what keeps every tool from running now. */
  standstill(): string[] {
    return [
      ...(this.isPaused ? [standstill.paused] : []),
      ...(this.#options.plugins.hidesTools ? [standstill.plugin] : []),
    ];
  }

  /** `needed`: usable after a sign-in in the browser. Undefined if the server is not known to support one. */
  signInState(name: string): 'needed' | 'signedIn' | undefined {
    return this.#signIn.state(this.#entry(name));
  }

  // Use

  /** The handle to send requests to. Throws SERVER_NOT_FOUND or SERVER_DISABLED. */
  use = (name: string): ServerHandle => {
    const entry = this.#entry(name);
    if (!entry.config.enabled) throw fail('SERVER_DISABLED', `The server "${name}" is disabled.`, { server: name });
    entry.isNeeded = true;
    return entry.handle;
  };

  /** Milliseconds without progress after which a call to the server times out. */
  callTimeoutMs(name: string): number {
    return this.config(name).lifecycle?.timeoutMs ?? this.#options.config().callTimeoutMs;
  }

  /** Asks the user for the secrets that the server needs; undefined if it needs none. Call it before `use`. */
  promptMissingSecrets(name: string, prompt: PromptOptions): Promise<void> | undefined {
    const { config, isRunning } = this.#entry(name);
    if (!config.enabled || isRunning) return undefined;
    const { clientTimeoutMs } = this.#options.config().approvals;
    // Only a client's direct call can time out. A task and the user in the UI keep waiting.
    const isLimited = prompt.from && !prompt.isTask;
    return this.#options.missingSecrets.prompt(config, { ...(isLimited && { clientTimeoutMs }), ...prompt });
  }

  /** Sends a client's notification to the running legacy servers selected by `isConcerned`. */
  notifyLegacy(method: string, isConcerned: (name: string) => boolean): void {
    for (const { config, handle } of this.#entries.values())
      if (handle.state.era === 'legacy' && isConcerned(config.name)) this.#listing.background(handle.notify(method));
  }

  /** Call when a client has disconnected. */
  endSession(session: string): void {
    for (const { handle } of this.#entries.values()) handle.endSession?.(session);
  }

  isPerClient(name: string): boolean {
    return isPerClient(this.config(name), this.#options.host.store);
  }

  logLevelChanged(): void {
    for (const { handle } of this.#entries.values()) handle.logLevelChanged();
  }

  // Discovery

  /** The discovery in progress of a server that is not yet in the catalog. */
  firstDiscovery = (name: string): Promise<void> | undefined => {
    return this.#options.catalog.isDiscovered(name) ? undefined : this.#entry(name).discovering;
  };

  /** Lists what the server offers, starting it when needed. Concurrent callers share one discovery. */
  async refresh(name: string): Promise<void> {
    await this.#listing.refresh(this.#entry(name));
  }

  /** Discovers every unknown or changed server. Resolves when all have finished or failed. */
  refreshStale(): Promise<void> {
    return this.#rediscovery.refreshStale();
  }

  /** Discovers every running server again and retries failed ones, in case a change notification was missed. */
  refreshLive(): Promise<void> {
    return this.#rediscovery.refreshLive();
  }

  /** Call this when a client reads the server's lists: expired ones are refreshed in the background. */
  refreshIfExpired(name: string): void {
    this.#rediscovery.refreshIfExpired(this.#entry(name));
  }

  // User commands

  async restart(name: string): Promise<void> {
    const entry = this.#entry(name);
    this.#options.marks.forgive(name);
    await entry.handle.stop();
    // A discovery in progress just lost its server. Report the failure of the restart instead.
    await entry.discovering?.catch(() => undefined);
    entry.isNeeded = true;
    await this.#listing.refresh(entry);
  }

  /** Starts a server, which need not be configured, and stops it again. */
  try(config: ServerConfig): Promise<ServerTrial> {
    return tryServer(config, trialOptions(this.#options, config));
  }

  /** Lists what a configured server offers with other settings, and stops it again. */
  async list(config: ServerConfig): Promise<Discovered> {
    const { plugins, catalog } = this.#options;
    const { slug } = this.#entry(config.name);
    const timeoutMs = config.lifecycle?.startTimeoutMs ?? this.#options.config().discoveryTimeoutMs;
    const otherTools = catalog.toolsBeside(config.name);
    const handle = createServerHandle(config, trialOptions(this.#options, config));
    try {
      return await discover(handle, { slug, plugins: plugins.plugins, timeoutMs, otherTools });
    } finally {
      await handle.stop();
    }
  }

  stop(name: string): Promise<void> {
    return this.#entry(name).handle.stop();
  }

  /** Opens the browser; resolves when the server has been started with the new sign-in. */
  async signIn(name: string): Promise<void> {
    await this.#signIn.start(this.#entry(name));
    await this.restart(name);
  }

  /** The page in the browser that a sign-in waits for. */
  signInPage(name: string): string | undefined {
    return this.#signIn.page(this.#entry(name));
  }

  cancelSignIn(name: string): void {
    this.#signIn.cancel(this.#entry(name));
  }

  async signOut(name: string): Promise<void> {
    const entry = this.#entry(name);
    await this.#signIn.end(entry);
    await entry.handle.stop();
  }

  /** From now on no server starts. Call it first when Core ends. */
  refuseStarts(): void {
    this.#options.marks.close();
  }

  async close(): Promise<void> {
    this.#options.signIns.close();
    for (const entry of this.#entries.values()) clearTimeout(entry.refreshTimer);
    await Promise.allSettled([...this.#entries.values()].map((entry) => entry.handle.stop()));
    erasOf(this.#options.host.store).flush();
  }

  // Entries

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    const hint = hintForServer(name, [...this.#entries.keys()]);
    throw fail('SERVER_NOT_FOUND', `There is no server "${name}".`, { server: name, hint });
  }

  /** Returns the pending stop of each removed or changed server. */
  #removeChanged(
    wanted: ReadonlyMap<string, ServerConfig>,
    provided: ReadonlySet<string>,
    report: ApplyReport,
  ): Map<string, Promise<void>> {
    const stopping = new Map<string, Promise<void>>();
    for (const [name, entry] of this.#entries) {
      const config = wanted.get(name);
      const isSameVersion = !provided.has(name) || entry.version === this.#options.plugins.version;
      if (config && isSameVersion && JSON.stringify(config) === JSON.stringify(entry.config)) continue;
      clearTimeout(entry.refreshTimer);
      this.#entries.delete(name);
      this.#slugs.delete(entry.slug);
      const stopped = entry.handle.stop();
      stopping.set(name, stopped);
      this.#listing.background(stopped);
      if (config) report.changed.push(name);
      else {
        report.removed.push(name);
        this.#options.logs.remove(name);
      }
    }
    return stopping;
  }

  #stateChanged(entry: Entry, state: ServerState): void {
    // Ignore a server that was removed or replaced.
    if (this.#entries.get(entry.config.name) !== entry) return;
    entry.isRunning = state.status === 'ready';
    this.#options.onState(entry.config.name);
    this.#updateAvailability(entry);
    const isNewProcess = state.status === 'ready' && state.startedAt !== entry.listedStart;
    if (isNewProcess && !entry.discovering) this.#listing.background(this.#listing.refresh(entry));
  }

  #updateAvailability(entry: Entry): void {
    const { status, restartsOnUse } = stateOf(entry);
    // A restarting server keeps its availability until the start succeeds or fails.
    const isUnavailable = status === 'starting' ? entry.isUnavailable : status === 'failed' && !restartsOnUse;
    if (isUnavailable === entry.isUnavailable) return;
    entry.isUnavailable = isUnavailable;
    this.#options.onAvailabilityChanged();
  }
}
