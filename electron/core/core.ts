/** Puts the rooms together: `createCore(host)` gives commands, events, the gateway and `close()`. */
import { join } from 'node:path';
import type { CommandHandlers } from '../../shared/contract.ts';
import { toFailure } from '../../shared/failure.ts';
import { type Subscribe, serveWire } from '../../shared/rpc.ts';
import type { Wire } from '../../shared/wire.ts';
import { createAsking } from './asking.ts';
import { openAudit, openSavings } from './audit/audit.ts';
import { createBackend } from './backend.ts';
import { type CatalogDiff, openCatalog } from './catalog/catalog.ts';
import { withChosen } from './chosen.ts';
import { createClients } from './clients.ts';
import { createCommands, type Parts } from './commands/commands.ts';
import { type Config, openConfig } from './config/config.ts';
import { createPluginSet } from './discovery/discovery.ts';
import { effectiveServers } from './effective-servers.ts';
import { createExecutor, createToolBreakers } from './execute/execute.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import type { Host } from './host.ts';
import { watchSources } from './import/import.ts';
import { createProfiles } from './profiles/profiles.ts';
import { createSearch, findModel, openLessons } from './search/search.ts';
import { createSupply, maskText, openVault, type ProvideOptions } from './secrets/secrets.ts';
import { createServers } from './servers/servers.ts';
import { openSignIns } from './sign-in/sign-in.ts';
import { createSignals } from './signals.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import { createToolbox } from './toolbox/toolbox.ts';
import { openTrust } from './trust/trust.ts';
import { sweepOrphans } from './upstream/upstream.ts';

export interface Core {
  readonly handlers: CommandHandlers;
  readonly subscribe: Subscribe;
  readonly gateway: Gateway;
  /** What the config says of the HTTP endpoint, now. */
  readonly http: Config['http'];
  /** Joins a face or the command line to this Core. `answersQuestions`: a person looks at its other end. */
  attach(wire: Wire, face: { answersQuestions: boolean }): void;
  /** Stops every server, cancels every question and writes what is not on disk yet. */
  close(): Promise<void>;
}

export interface CoreOptions {
  /** Bearer token of the HTTP endpoint; absent without one. */
  token?: string;
  /** Where the HTTP endpoint is reached, for people to see. */
  http?(): { url: string; tokenFile: string } | undefined;
  /** Nobody has been connected for `idleMs` (one minute by default). */
  onIdle?(): void;
  idleMs?: number | undefined;
}

/** Opens everything and begins to discover in the background; resolves before any server has started. */
export async function createCore(host: Host, options: CoreOptions = {}): Promise<Core> {
  const signals = createSignals();
  const { emit } = signals;
  const telemetry = openTelemetry({
    env: host.env,
    version: host.version,
    subscribe: signals.subscribe,
    log: host.log,
  });
  for (const server of await sweepOrphans(host))
    host.log('warn', `Ended what a Core that was killed left of "${server}".`);
  const config = await openConfig(host);
  const current = () => withChosen(config.state.config, host.store.get('chosen'));
  const data = (name: string) => join(host.dataDir, name);
  const [vault, signIns, catalog, trust, audit, savings] = await Promise.all([
    openVault(host),
    openSignIns(host),
    openCatalog(current().cache.enabled ? data('catalog.json') : undefined, {
      ttlMs: () => current().cache.ttl * 1000,
      onWarning: (text) => host.log('warn', text),
    }),
    openTrust(data('pins.json')),
    openAudit(data('audit'), (entry) => emit('calls.recorded', entry)),
    openSavings(data('savings.json')),
  ]);
  const { search } = current();
  const model = await findModel(search.model || data('search-model'), search.model !== '');
  if (model?.problem) host.log('warn', `Search goes by words alone. ${model.problem}`);
  const index = createSearch({ usage: audit.usage, encoder: model?.encoder, meaning: search.weight });
  const lessons = await openLessons(data('lessons.json'), index, maskText);
  const plugins = createPluginSet(host.dataDir, (message) => host.log('warn', message));
  const loadPlugins = () => plugins.load(current().enabled ? current().plugins : [], config.state.file);
  await loadPlugins();
  let paused = false;

  const { elicitation, approvals, offers, routingOf, asking, left } = createAsking({
    ...{ host, emit, reconfigure, config: current, record: audit.record },
    onPageCompleted: signals.onPageCompleted,
    accept: (server, tool) => handlers['tools.accept']({ server, tool }),
    setServerEnabled: async (server, enabled) => handlers['servers.setEnabled']({ server, enabled }),
  });
  const supply = createSupply({
    ...{ vault, host, canAsk: elicitation.canAsk },
    ask: (message, fields, options) =>
      elicitation.form(message, fields, { ...options, timeoutMs: current().elicitation.timeoutMs }),
  });
  const profiles = createProfiles({ store: host.store, configured: () => current().profiles });
  const clients = createClients({
    routingOf,
    profile: profiles.find,
    onChange: () => emit('clients.changed', {}),
    onLeave(id) {
      executor.callerLeft(id);
      left(id);
    },
    onLogLevel: () => servers.logLevelChanged(),
  });
  const servers = createServers({
    host,
    catalog,
    signIns,
    plugins,
    resolve: supply.resolve,
    startsAtOnce: current().concurrentStarts,
    idleTimeoutMs: () => current().idleTimeoutMs,
    discoveryTimeoutMs: () => current().discoveryTimeoutMs,
    onState: signals.serverChanged,
    onReach() {
      for (const what of ['tools', 'prompts', 'resources'] as const) signals.announce(what);
    },
    onDiscovered: discovered,
    emit,
    onNotification: (name, method, params) => {
      if (method === 'notifications/resources/updated') signals.resourceUpdated(String(params.uri));
      if (method === 'notifications/elicitation/complete')
        // What the page was wanted for may have come in the same breath, and is known a moment later.
        setImmediate(() => signals.pageCompleted(name, String(params.elicitationId)));
    },
    onAsk: (name, { method }, signal) => clients.answerOutsideCalls(name, method, signal),
    logLevel: clients.logLevel,
  });
  const isServerUsable = (name: string) =>
    !paused && servers.isEnabled(name) && !servers.isLost(name) && !servers.isUnguarded(name);
  const toolbox = createToolbox({ catalog, trust, audit, index, isServerUsable });

  function discovered(name: string, diff: CatalogDiff): void {
    toolbox.apply(diff);
    if (diff.added.length > 0) {
      const tools = diff.added.map(({ name: tool, category, complexity }) => ({ tool, category, complexity }));
      emit('tools.registered', { server: name, tools });
    }
    tellUpdates(name, diff);
    signals.serverChanged(name);
    signals.toolsChanged(name);
    if (diff.promptsChanged) signals.announce('prompts');
    if (diff.resourcesChanged) signals.announce('resources');
    signals.announce('tools');
  }

  function tellUpdates(server: string, { updated, changed }: CatalogDiff): void {
    const tools = changed.flatMap(({ before: { version: from }, after: { name: tool, version: to } }) =>
      from !== undefined && to !== undefined && from !== to ? [{ tool, from, to }] : [],
    );
    if (updated || tools.length > 0) emit('servers.updated', { server, ...updated, tools });
    if (updated) host.log('info', `"${server}" was updated from ${updated.from} to ${updated.to}.`);
  }

  /** Somebody needs this server: what it lacks is asked for before it starts. */
  async function provide(name: string, waiting: ProvideOptions): Promise<void> {
    const config = servers.config(name);
    if (!config.enabled || servers.state(name).status === 'ready') return;
    // Clients give up after a while, the person at the window does not.
    const patience = waiting.from && { patienceMs: current().approvals.patienceMs };
    await supply.provide(config, { ...patience, ...waiting });
  }

  const timeoutMs = (name: string) => servers.config(name).lifecycle?.timeoutMs ?? current().callTimeoutMs;
  const executor = createExecutor({
    async findTool(server, tool, { caller, signal }) {
      // The first call may come before the first discovery has ended; the tool is there in a moment.
      if (servers.config(server).enabled && !catalog.entry(server)) {
        await provide(server, { from: { client: caller.name, tool }, signal });
        await servers.refresh(server);
      }
      const found = toolbox.find(server, tool);
      const mayRun = found.enabled && !found.held && !paused;
      if (mayRun) await provide(server, { from: { client: caller.name, tool }, signal });
      return found;
    },
    upstream: servers.upstream,
    isPaused: () => paused,
    isServerEnabled: (name) => servers.config(name).enabled,
    ...{ approvals, offers, elicitation, asking },
    breakers: createToolBreakers(),
    patienceMs: () => current().approvals.patienceMs,
    timeoutMs,
    onCompleted: signals.onPageCompleted,
    record: audit.record,
  });

  async function reconfigure() {
    toolbox.setRules(host.store.get('rules'), current().toolRules);
    const report = servers.apply(await effectiveServers(host, current()));
    for (const name of report.changed) executor.serverMended(name);
    emit('rules.changed', {});
    emit('core.changed', {});
    signals.toolsChanged(...report.added, ...report.removed, ...report.changed);
    signals.announce('tools');
    return report;
  }

  let applied = reconfigure();
  async function applyConfig() {
    await loadPlugins();
    const report = await reconfigure();
    refreshPeriodically();
    await audit.keep(current().history.months);
    emit('config.changed', { problems: [...config.state.problems, ...plugins.problems] });
    void servers.refreshStale();
    return report;
  }
  async function reload() {
    await config.reload();
    return applied;
  }

  const parts: Parts = {
    ...{ host, config, current, plugins, catalog, servers, toolbox, executor, approvals, elicitation, offers },
    ...{ audit, emit, savings, lessons, model },
    ...{ reconfigure, reload, vault, supply, provide, profiles, timeoutMs },
    startedAt: Date.now(),
    isPaused: () => paused,
    setPaused(value) {
      paused = value;
      emit('core.changed', {});
      signals.announce('tools');
    },
    profilesChanged() {
      emit('core.changed', {});
      for (const what of ['tools', 'prompts', 'resources'] as const) signals.announce(what);
    },
    clients: clients.list,
    ...{ sessions: clients.sessions, reaches: clients.reaches },
    parkedCalls: () => executor.parked() + gateway.parkedCalls(),
    http: () => options.http?.(),
    asking,
  };
  const handlers = createCommands(parts);
  const gateway = createGateway(createBackend(parts, signals, clients), {
    version: host.version,
    token: options.token ?? '',
    onIdle: options.onIdle,
    idleMs: options.idleMs,
  });

  await applied;
  await audit.keep(current().history.months);
  toolbox.apply({
    added: [...catalog.tools()],
    removed: [],
    changed: [],
    promptsChanged: false,
    resourcesChanged: false,
  });
  let refreshing: NodeJS.Timeout | undefined;
  function refreshPeriodically(): void {
    clearInterval(refreshing);
    if (current().refreshIntervalMs === 0) return;
    refreshing = setInterval(() => void servers.refreshLive(), current().refreshIntervalMs);
    refreshing.unref();
  }
  refreshPeriodically();
  const stopListening = config.onChange(() => {
    // One after the other: an older config must never be applied after a newer one.
    applied = Promise.allSettled([applied]).then(applyConfig);
    applied.catch((error) => host.log('error', toFailure(error).message));
  });
  void servers.refreshStale();
  const stopWatching = watchSources(host, () => emit('import.changed', {}));

  return {
    handlers,
    subscribe: signals.subscribe,
    gateway,
    get http() {
      return current().http;
    },
    attach(wire, { answersQuestions }) {
      if (answersQuestions) wire.onClose(elicitation.faceOpened());
      serveWire(wire, handlers, signals.subscribe);
    },
    async close() {
      clearInterval(refreshing);
      stopListening();
      stopWatching();
      offers.close();
      elicitation.close();
      await gateway.close();
      await Promise.allSettled([servers.close(), config.close()]);
      await Promise.allSettled([catalog, trust, lessons, savings].map((kept) => kept.close()));
      // The last calls are told of when they are written down.
      await audit.flush();
      await telemetry.close();
    },
  };
}
