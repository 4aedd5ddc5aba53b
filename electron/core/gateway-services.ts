/** Builds the services that the gateway needs from Core's modules. */

import { parseToolKey } from '../../shared/tool-key.ts';
import type { ConfigStore } from './config/config.ts';
import type { Profiles } from './config/profiles.ts';
import type { Config } from './config/schema.ts';
import type { Elicitation } from './elicitation/elicitation.ts';
import type { ElicitationRoutes } from './elicitation/route.ts';
import type { Events } from './events.ts';
import type { ConnectedClients } from './gateway/connected-clients.ts';
import { instructionsFor } from './gateway/instructions.ts';
import { createOpenApps } from './gateway/open-apps.ts';
import { createPromptsResources } from './gateway/prompts-resources.ts';
import { createProvidedTools } from './gateway/provided-tools.ts';
import type { GatewayServices } from './gateway/services.ts';
import { createTasks } from './gateway/tasks/tasks.ts';
import { createUsage } from './gateway/usage.ts';
import { createVisibleServers } from './gateway/visible-servers.ts';
import { createVisibleTools } from './gateway/visible-tools.ts';
import type { Host } from './host.ts';
import type { EnableRequests } from './policy/enable-requests.ts';
import type { OwnFiles } from './policy/own-files.ts';
import type { Scopes } from './policy/scope.ts';
import { createFollowUp } from './search/follow-up.ts';
import type { PromptOptions } from './secrets/prompt-missing-secrets.ts';
import type { Servers } from './servers/servers.ts';
import type { Stores } from './stores.ts';
import type { KnownTools } from './tools/known-tools.ts';

export function createGatewayServices(options: {
  host: Host;
  events: Events;
  stores: Stores;
  servers: Servers;
  knownTools: KnownTools;
  scopes: Scopes;
  profiles: Profiles;
  clients: ConnectedClients;
  calls: GatewayServices['calls'];
  elicitation: Elicitation;
  batch: GatewayServices['batch'];
  routes: ElicitationRoutes;
  enableRequests: EnableRequests;
  ownFiles: OwnFiles;
  isPaused(): boolean;
  configStore: Pick<ConfigStore, 'discovery'>;
  timeoutMs(server: string): number;
  config(): Pick<Config, 'approvals' | 'statusDetail'>;
  promptMissingSecrets(server: string, prompt: PromptOptions): Promise<void>;
}): GatewayServices {
  const { host, events, stores, servers, scopes, profiles, clients } = options;
  const { catalog, history, feedback } = stores;
  const followUp = createFollowUp((query, key) => {
    feedback.add({ query, ...parseToolKey(key), source: 'agent' });
  });
  events.on('tool.succeeded', followUp.onCall);
  events.on('client.disconnected', followUp.onDisconnect);
  events.on('client.disconnected', ({ id }) => servers.endSession(id));
  const visibleServers = createVisibleServers({
    ...options,
    catalog,
    history,
    discovery: options.configStore.discovery,
  });
  const openApps = createOpenApps(events);
  return {
    servers: visibleServers,
    provided: createProvidedTools({ servers, scopes, events }),
    tools: createVisibleTools({ ...options, catalog, followUp, openApps, store: host.store }),
    promptsResources: createPromptsResources({
      ...options,
      catalog,
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
      ...createUsage({ ...options, savings: stores.savings }),
      connected: clients.connected,
      setLogLevel: clients.setLogLevel,
      rootsChanged: ({ scope }) =>
        servers.notifyLegacy('notifications/roots/list_changed', (server) => scopes.hasServer(scope, server)),
    },
    events,
    showsDebugStatus: () => options.config().statusDetail,
    batch: options.batch,
    findProfile: profiles.find,
    instructions: (session) => instructionsFor(session, () => visibleServers.instructions(session.scope)),
  };
}
