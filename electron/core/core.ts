/** Creates and connects the modules: `createCore(host)` returns commands, events, the gateway and `close()`. */
import type { CommandHandlers } from '../../shared/protocol/contract.ts';
import { type Subscribe, serveWire } from '../../shared/protocol/rpc.ts';
import type { Wire } from '../../shared/protocol/wire.ts';
import { createConfigApplier } from './apply-config.ts';
import { createCalls } from './calls/calls.ts';
import { createCommands } from './commands/commands.ts';
import { setServerEnabled } from './commands/server-commands.ts';
import { openConfig } from './config/config.ts';
import { createProfiles } from './config/profiles.ts';
import type { Config } from './config/schema.ts';
import { createEffectiveConfig } from './config/user-settings.ts';
import { createEvents } from './events.ts';
import { identityOfToken } from './gateway/client-names.ts';
import { createClientTokens } from './gateway/client-tokens.ts';
import { createConnectedClients } from './gateway/connected-clients.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { createGatewayServices } from './gateway-services.ts';
import { openTelemetry } from './history/telemetry/telemetry.ts';
import type { Host } from './host.ts';
import { startNotifications } from './notify.ts';
import { createPluginSet } from './plugins/plugins.ts';
import { createOwnFiles } from './policy/own-files.ts';
import { createScopes } from './policy/scope.ts';
import { createRegistries } from './registry/registry.ts';
import { createNetwork } from './servers/network.ts';
import { reapOrphans } from './servers/orphan-reaper.ts';
import { openStores } from './stores.ts';
import { createUpstream } from './upstream.ts';
import { createPolicy, createQuestions } from './user.ts';

export interface Core {
  readonly handlers: CommandHandlers;
  readonly subscribe: Subscribe;
  readonly gateway: Gateway;
  /** The current configuration of the HTTP endpoint. */
  readonly http: Config['http'];
  /** True if a restart would interrupt no call and no question. */
  isIdle(): boolean;
  /** Connects a UI or the command line. `answersQuestions`: the UI shows questions to a user. */
  attach(wire: Wire, ui: { answersQuestions: boolean }): void;
  /** Stops every server, cancels every question and saves pending changes. */
  close(): Promise<void>;
}

export interface CoreOptions {
  /** The address of the HTTP endpoint, for UIs. */
  http?(): { url: string } | undefined;
  /** Called when there has been no connection for `idleMs` (one minute by default). */
  onIdle?(): void;
  idleMs?: number;
}

/**
 * Opens the stores, connects the modules and starts discovery in the background. Does not wait for servers to start. One long
 * list: each module needs those above it.
 */
export async function createCore(host: Host, options: CoreOptions = {}): Promise<Core> {
  const warn = (message: string) => host.log('warn', message);
  const events = createEvents();
  const telemetry = openTelemetry({ env: host.env, version: host.version, subscribe: events.subscribe, log: host.log });
  for (const server of await reapOrphans(host)) warn(`Ended "${server}", which a killed Core left running.`);
  const configStore = await openConfig(host);
  const config = createEffectiveConfig(configStore, host.store);
  const stores = await openStores(host, events, config);
  const plugins = createPluginSet(host.dataDir, warn);
  await plugins.load(config().enabled ? config().plugins : [], configStore.state.file);
  let paused = false;
  const isPaused = () => paused;

  const base = { host, events, config, configStore, stores };
  const { elicitation, routes, batch, missingSecrets, known, mayReach } = createQuestions(base);
  const profiles = createProfiles({ store: host.store, configured: () => config().profiles });
  const scopes = createScopes(profiles.find);
  const { createIndex } = stores;
  const registries = createRegistries({ host, events, createIndex, sources: () => config().registries });
  const tokens = createClientTokens(host.store);
  const clients = createConnectedClients({ store: host.store, events, scopes, routes, batch });
  const network = createNetwork(host);
  const upstream = createUpstream({
    ...base,
    host: network.hostForServers,
    plugins,
    clients,
    missingSecrets,
    mayReach,
    isPaused,
  });
  const { servers, serverLogs, knownTools, promptMissingSecrets } = upstream;
  const applier = createConfigApplier({ ...base, plugins, servers, network, knownTools });

  const serverControl = { host, servers, reconfigure: applier.reconfigure, promptMissingSecrets };
  const { approvals, enableRequests } = createPolicy(
    base,
    { elicitation, batch, known, knownTools, applier },
    (server) => setServerEnabled(serverControl, server, true),
  );
  tokens.onRevoked((id) => approvals.revokeOf(identityOfToken(id)));
  const ownPort = () => Number(/:(\d+)\//.exec(options.http?.()?.url ?? '')?.[1]) || undefined;
  const ownFiles = createOwnFiles(host, ownPort, servers.workingFolders);
  const timeoutMs = (name: string) => servers.config(name).lifecycle?.timeoutMs ?? config().callTimeoutMs;
  const calls = createCalls({
    ...base,
    ...upstream,
    catalog: stores.catalog,
    history: stores.history,
    elicitation,
    approvals,
    ownFiles,
    enableRequests,
    scopes,
    isPaused,
    timeoutMs,
    routeOf: routes.routeOf,
  });
  const shared = {
    ...base,
    servers,
    knownTools,
    scopes,
    profiles,
    clients,
    calls,
    elicitation,
    batch,
    enableRequests,
    ownFiles,
    isPaused,
    promptMissingSecrets,
  };
  const services = createGatewayServices({ ...shared, timeoutMs, routes });
  const { onIdle, idleMs } = options;
  const gateway = createGateway(services, { version: host.version, tokens, log: host.log, onIdle, idleMs });
  const parkedCalls = () => calls.parked() + gateway.parkedCalls();
  const isIdle = () => calls.active.list().length === 0 && parkedCalls() === 0 && elicitation.pending().length === 0;
  const handlers = createCommands({
    ...shared,
    promptsResources: services.promptsResources,
    configStore,
    plugins,
    network,
    serverLogs,
    approvals,
    registries,
    missingSecrets,
    applier,
    tokens,
    startedAt: Date.now(),
    setPaused(value) {
      paused = value;
      events.emit('core.changed', {});
      events.emit('list.changed', { list: 'tools' });
    },
    parkedCalls,
    isIdle,
    http: () => options.http?.(),
  });

  host.onPresence?.((isAway) => {
    elicitation.setAway(isAway);
    // Connections may have broken while the computer slept.
    if (!isAway) void servers.refreshLive();
  });

  const planImport = async () => handlers['import.plan']({});
  startNotifications({ ...base, servers, knownTools, planImport });
  await applier.start();
  const added = [...stores.catalog.tools()];
  knownTools.apply({ added, removed: [], changed: [], promptsChanged: false, resourcesChanged: false });
  void servers.refreshStale();

  return {
    handlers,
    isIdle,
    subscribe: events.subscribe,
    gateway,
    get http() {
      return config().http;
    },
    attach(wire, { answersQuestions }) {
      if (answersQuestions) wire.onClose(elicitation.uiAttached());
      serveWire(wire, handlers, events.subscribe);
    },
    async close() {
      applier.close();
      registries.close();
      enableRequests.close();
      elicitation.close();
      await gateway.close();
      await calls.close();
      await Promise.allSettled([servers.close(), configStore.close()]);
      await stores.close();
      await telemetry.close();
    },
  };
}
