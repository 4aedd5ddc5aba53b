/** Creates and connects the modules: `createCore(host)` returns commands, events, the gateway and `close()`. */
import type { CommandHandlers } from '../../shared/protocol/contract.ts';
import { refusingDecisions, type Subscribe, serveWire } from '../../shared/protocol/rpc.ts';
import type { Wire } from '../../shared/protocol/wire.ts';
import { createCalls } from './calls/calls.ts';
import { recorded } from './commands/change-commands.ts';
import { createCommands } from './commands/commands.ts';
import { setServerEnabled } from './commands/server-commands.ts';
import { openConfig } from './config/config.ts';
import { createProfiles } from './config/profiles.ts';
import { questionTimeoutMs } from './config/question-timeout.ts';
import type { Config } from './config/schema.ts';
import { createEffectiveConfig } from './config/user-settings.ts';
import { createElicitation } from './elicitation/elicitation.ts';
import { createElicitationRoutes } from './elicitation/route.ts';
import { createUploads } from './elicitation/uploads.ts';
import { createEvents, type Events } from './events.ts';
import { identityOfToken } from './gateway/client-names.ts';
import { createClientTokens } from './gateway/client-tokens.ts';
import { createConnectedClients } from './gateway/connected-clients.ts';
import { createGatewayServices } from './gateway/create-services.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import type { NewRecord } from './history/history.ts';
import { receiverOf } from './history/results.ts';
import { openTelemetry } from './history/telemetry/telemetry.ts';
import type { Host } from './host.ts';
import { createPluginSet } from './plugins/plugins.ts';
import { createApprovals } from './policy/approvals.ts';
import { createBatchClients } from './policy/batch-clients.ts';
import { createConnections } from './policy/connections.ts';
import { createEnableRequests } from './policy/enable-requests.ts';
import { createGrants } from './policy/grants.ts';
import { createKnownDestinations } from './policy/known-destinations.ts';
import { createOwnFiles } from './policy/own-files.ts';
import type { State } from './policy/rows.ts';
import { createScopes } from './policy/scope.ts';
import { createState } from './policy/state.ts';
import { createOffers } from './registry/offers.ts';
import { createRegistries } from './registry/registry.ts';
import { createSetToolEnabled } from './rules/set-tool-enabled.ts';
import { createMissingSecrets } from './secrets/prompt-missing-secrets.ts';
import { createConfigApplier } from './servers/apply-config.ts';
import { createNetwork } from './servers/network.ts';
import { reapOrphans } from './servers/orphan-reaper.ts';
import { createPause } from './servers/pause.ts';
import { openStores, type Stores } from './stores.ts';
import type { KnownTools } from './tools/known-tools.ts';
import { createUpstream } from './upstream.ts';

export interface Core {
  readonly handlers: CommandHandlers;
  readonly subscribe: Subscribe;
  readonly gateway: Gateway;
  /** The current configuration of the HTTP endpoint. */
  readonly http: Config['http'];
  /** True if a restart would interrupt no call and no question. */
  isIdle(): boolean;
  /** Connects a UI or the command line. `answersQuestions`: the UI shows questions to a user. */
  attach(wire: Wire, ui: { answersQuestions: boolean; isTerminal?: boolean }): void;
  /** Call it before the process is killed: blocks until what a killed Core would lose is on disk. Core must end afterwards. */
  prepareForKill(): void;
  /** Stops every server, cancels every question and saves pending changes. */
  close(): Promise<void>;
}

export interface CoreOptions {
  /** The port on which Core's pages and clients reach it; undefined until it listens. */
  port?(): number | undefined;
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

  const base = { host, events, config, configStore, stores };
  const questions = createQuestions(base);
  const { elicitation, uploads, routes, batch } = questions;
  const profiles = createProfiles({ store: host.store, config });
  const scopes = createScopes(() => state());
  const { createIndex } = stores;
  const registries = createRegistries({ host, events, createIndex, sources: () => config().registries });
  const tokens = createClientTokens(host.store);
  const clients = createConnectedClients({ store: host.store, events, scopes, routes, batch });
  const network = createNetwork(host);
  const upstream = createUpstream({ ...base, ...questions, host: network.hostForServers, plugins, clients });
  const { servers, serverLogs, knownTools } = upstream;
  const { rules } = knownTools;
  const state = createState({ ...base, ...stores, ...questions, store: host.store, servers, rules, profiles });
  const pause = createPause(servers, events, host.store);
  const applier = createConfigApplier({ ...base, ...stores, plugins, servers, network, knownTools });

  const serverControl = { host, servers, reconfigure: applier.reconfigure };
  const { approvals, enableRequests } = createPolicy(
    { ...base, ...questions, knownTools, state, applyRules: applier.applyRules },
    (server) => setServerEnabled(serverControl, server, true),
  );
  tokens.onRevoked((id) => approvals.revokeOf(identityOfToken(id)));
  const ownFiles = createOwnFiles(host, options.port, servers.workingFolders);
  const calls = createCalls({
    ...base,
    ...upstream,
    ...stores,
    elicitation,
    approvals,
    ownFiles,
    enableRequests,
    state,
    resultsOf: (client) => stores.results.of(receiverOf(client)),
    routeOf: routes.routeOf,
  });
  const shared = {
    ...base,
    servers,
    knownTools,
    scopes,
    state,
    profiles,
    clients,
    calls,
    ...questions,
    enableRequests,
    ownFiles,
  };
  const offerServers = createOffers({
    registries,
    isAllowed: () => host.store.get('enableRequests') !== 'never',
    redact: stores.vault.redact,
    notify: stores.notifications.continues,
  });
  const { discovery } = configStore;
  const services = createGatewayServices({ ...shared, ...stores, findProfile: profiles.find, offerServers, discovery });
  const { onIdle, idleMs } = options;
  const gateway = createGateway(services, { version: host.version, tokens, log: host.log, onIdle, idleMs });
  const parkedCalls = () => calls.parked() + gateway.parkedCalls();
  const isIdle = () => calls.active.list().length === 0 && parkedCalls() === 0 && elicitation.pending().length === 0;
  const commands = createCommands({
    ...shared,
    promptsResources: services.promptsResources,
    configStore,
    plugins,
    network,
    pause,
    serverLogs,
    approvals,
    registries,
    applier,
    tokens,
    startedAt: Date.now(),
    parkedCalls,
    isIdle,
    http: () => options.http?.(),
  });
  const handlers = recorded(commands, stores.changes, 'window');
  const ofTerminal = recorded(commands, stores.changes, 'terminal');

  host.onPresence?.((isAway) => {
    elicitation.setAway(isAway);
    // Connections may have broken while the computer slept.
    if (!isAway) void servers.refreshLive();
  });

  await applier.start();
  const added = [...stores.catalog.tools()];
  knownTools.apply({ added, removed: [], changed: [], promptsChanged: false, resourcesChanged: false });
  void servers.refreshStale();

  return {
    handlers,
    isIdle,
    prepareForKill() {
      servers.refuseStarts();
      stores.history.flushSync();
    },
    subscribe: events.subscribe,
    gateway,
    get http() {
      return config().http;
    },
    attach(wire, { answersQuestions, isTerminal }) {
      if (answersQuestions) wire.onClose(elicitation.uiAttached());
      if (isTerminal) return serveWire(wire, ofTerminal, events.subscribe);
      // Whether an answer counts depends on the question.
      const refusalOf = (command: string) =>
        command.startsWith('questions.') ? undefined : elicitation.screenRefusal();
      serveWire(refusingDecisions(wire, refusalOf), handlers, events.subscribe);
    },
    async close() {
      servers.refuseStarts();
      pause.close();
      applier.close();
      registries.close();
      enableRequests.close();
      elicitation.close();
      await gateway.close();
      await calls.close();
      await Promise.allSettled([servers.close(), configStore.close(), uploads.close()]);
      await stores.close();
      await telemetry.close();
    },
  };
}

interface Base {
  host: Host;
  events: Events;
  config(): Config;
  stores: Stores;
}

/** Everything with which Core asks the user: the question queue, its routes, missing secrets and destinations. */
function createQuestions({ host, events, config, stores }: Base) {
  const record = (entry: NewRecord) => stores.history.record(entry);
  const routes = createElicitationRoutes({ store: host.store, config, events, record });
  const elicitation = createElicitation({
    host,
    onChange: (pending) => events.emit('questions.changed', { pending }),
    onEvent: routes.onElicitation,
  });
  const uploads = createUploads({ dataDir: host.dataDir, events, pending: elicitation.pending });
  const missingSecrets = createMissingSecrets({
    vault: stores.vault,
    host,
    passphrase: host.sealer.passphrase,
    canAsk: elicitation.canAsk,
    ask: (message, fields, question) =>
      elicitation.form(message, fields, { ...question, timeoutMs: config().elicitation.timeoutMs }),
  });
  const batch = createBatchClients({ store: host.store, events, configured: () => config().batch });
  const stateChanged = () => events.emit('state.changed', {});
  const known = createKnownDestinations(host.store, () => config().approvals.known, stateChanged);
  const grants = createGrants(host.store, stateChanged);
  const { mayReach, folders } = createConnections({
    events,
    known,
    elicitation,
    timeoutMs: () => config().approvals.timeoutMs,
  });
  return { elicitation, uploads, routes, batch, missingSecrets, known, grants, mayReach, folders };
}

/** Creates the services that ask the user to approve calls and to enable tools. `enableServer` enables a server. */
function createPolicy(
  parts: Base &
    ReturnType<typeof createQuestions> & {
      knownTools: KnownTools;
      state(): State;
      applyRules(): void;
    },
  enableServer: (server: string) => Promise<void>,
) {
  const { host, events, config, stores, elicitation, batch, known, grants, knownTools, state, applyRules } = parts;
  const { store } = host;
  const setToolEnabled = createSetToolEnabled(store, applyRules);
  const shared = {
    elicitation,
    events,
    record: (entry: NewRecord) => stores.history.record(entry),
    timeoutMs: () => config().approvals.timeoutMs,
    log: (message: string) => host.log('warn', message),
  };
  const approvals = createApprovals({
    ...shared,
    timeoutMs: ({ server, name }) =>
      questionTimeoutMs(config().elicitation.timeouts, server, name) ?? config().approvals.timeoutMs,
    known,
    grants,
    findInResults: stores.results.findText,
    resultsOf: (client) => stores.results.of(receiverOf(client)),
    offersBatch: batch.isOffered,
    disable: ({ server, name }) => setToolEnabled(server, name, false),
  });
  const enableRequests = createEnableRequests({
    ...shared,
    setting: () => store.get('enableRequests'),
    state,
    async enable({ server, tool, reason, fingerprint }) {
      if (reason === 'server') return enableServer(server);
      if (reason === 'rule' || reason === 'override') return setToolEnabled(server, tool, true);
      knownTools.accept(server, tool, fingerprint);
      events.emit('tools.changed', { servers: [server] });
    },
  });
  return { approvals, enableRequests };
}
