/** Builds the services that the gateway needs from Core's modules. */

import type { DiscoveryState } from '../../../shared/model/config-state.ts';
import { parseToolKey } from '../../../shared/tool-key.ts';
import { joined } from '../async/batched.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { ElicitationRoutes } from '../elicitation/route.ts';
import type { Events } from '../events.ts';
import type { History } from '../history/history.ts';
import type { Host } from '../host.ts';
import type { EnableRequests } from '../policy/enable-requests.ts';
import type { OwnFiles } from '../policy/own-files.ts';
import type { State } from '../policy/rows.ts';
import type { Scopes } from '../policy/scope.ts';
import type { FeedbackStore } from '../search/feedback/feedback.ts';
import { createFollowUp } from '../search/follow-up.ts';
import type { Servers } from '../servers/servers.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { Pins } from '../tools/pins.ts';
import type { Scope } from '../types.ts';
import type { ConnectedClients } from './connected-clients.ts';
import { instructionsFor } from './instructions.ts';
import { createOpenApps } from './open-apps.ts';
import { createPromptsResources } from './prompts-resources.ts';
import { createProvidedTools } from './provided-tools.ts';
import type { GatewayServices } from './services.ts';
import { createTasks } from './tasks/tasks.ts';
import { createVisibleServers } from './visible-servers.ts';
import { createVisibleTools } from './visible-tools.ts';

const rootsSettleMs = 200;

export function createGatewayServices(options: {
  host: Host;
  events: Events;
  catalog: Catalog;
  history: History;
  pins: Pins;
  feedback: Pick<FeedbackStore, 'add'>;
  servers: Servers;
  knownTools: KnownTools;
  scopes: Scopes;
  state(): State;
  clients: ConnectedClients;
  calls: GatewayServices['calls'];
  elicitation: Elicitation;
  batch: GatewayServices['batch'];
  routes: ElicitationRoutes;
  enableRequests: EnableRequests;
  ownFiles: OwnFiles;
  findProfile: GatewayServices['findProfile'];
  offerServers: GatewayServices['offerServers'];
  discovery(): DiscoveryState;
  config(): { approvals: { clientTimeoutMs: number }; statusDetail: boolean };
}): GatewayServices {
  const { host, events, servers, scopes, clients } = options;
  const followUp = createFollowUp((query, key) => {
    options.feedback.add({ query, ...parseToolKey(key), source: 'agent' });
  });
  // A client can send thousands of these at once, and each would become a message to every server.
  const rootsChanged = joined<Scope>(
    (scope) => servers.notifyLegacy('notifications/roots/list_changed', (name) => scopes.hasServer(scope, name)),
    rootsSettleMs,
  );
  events.on('tool.succeeded', followUp.onCall);
  events.on('client.disconnected', followUp.onDisconnect);
  events.on('client.disconnected', ({ id }) => servers.endSession(id));
  const visibleServers = createVisibleServers(options);
  const openApps = createOpenApps(events);
  return {
    servers: visibleServers,
    provided: createProvidedTools({ servers, scopes, events }),
    tools: createVisibleTools({ ...options, followUp, openApps, store: host.store }),
    promptsResources: createPromptsResources({
      ...options,
      openApps,
      routeOf: options.routes.routeOf,
      warn: (message) => host.log('warn', message),
    }),
    calls: options.calls,
    tasks: createTasks({
      events,
      clientTimeoutMs: () => options.config().approvals.clientTimeoutMs,
      presentMs: options.elicitation.presentMs,
    }),
    clients: {
      connected: clients.connected,
      setLogLevel: clients.setLogLevel,
      rootsChanged: ({ scope }) => rootsChanged(scope),
    },
    events,
    showsDebugStatus: () =>
      options.config().statusDetail && !['0', 'false'].includes(host.env.TOOLKEEP_DEBUG_STATUS ?? ''),
    batch: options.batch,
    offerServers: options.offerServers,
    findProfile: options.findProfile,
    instructions: (session) => instructionsFor(session, () => visibleServers.instructions(session.scope)),
  };
}
