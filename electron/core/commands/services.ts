/** The services that commands use. Each group of commands takes the ones that it needs. */

import type { Calls } from '../calls/calls.ts';
import type { ConfigStore } from '../config/config.ts';
import type { Profiles } from '../config/profiles.ts';
import type { Config } from '../config/schema.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Uploads } from '../elicitation/uploads.ts';
import type { Events } from '../events.ts';
import type { ClientTokens } from '../gateway/client-tokens.ts';
import type { ConnectedClients } from '../gateway/connected-clients.ts';
import type { PromptsResources } from '../gateway/services.ts';
import type { Host } from '../host.ts';
import type { PluginSet } from '../plugins/plugins.ts';
import type { Approvals } from '../policy/approvals.ts';
import type { BatchClients } from '../policy/batch-clients.ts';
import type { State } from '../policy/rows.ts';
import type { Scopes } from '../policy/scope.ts';
import type { Registries } from '../registry/registry.ts';
import type { MissingSecrets } from '../secrets/prompt-missing-secrets.ts';
import type { ConfigApplier } from '../servers/apply-config.ts';
import type { Network } from '../servers/network.ts';
import type { Pause } from '../servers/pause.ts';
import type { ServerLogs } from '../servers/server-log.ts';
import type { Servers } from '../servers/servers.ts';
import type { Stores } from '../stores.ts';
import type { KnownTools } from '../tools/known-tools.ts';

export interface CommandServices {
  host: Host;
  events: Events;
  configStore: ConfigStore;
  /** The config file with the user settings applied. */
  config(): Config;
  stores: Stores;
  plugins: PluginSet;
  network: Network;
  servers: Servers;
  pause: Pause;
  serverLogs: ServerLogs;
  knownTools: KnownTools;
  scopes: Scopes;
  /** The state that decides about calls. */
  state(): State;
  profiles: Profiles;
  registries: Registries;
  clients: ConnectedClients;
  calls: Calls;
  promptsResources: PromptsResources;
  elicitation: Elicitation;
  uploads: Uploads;
  approvals: Approvals;
  batch: BatchClients;
  missingSecrets: MissingSecrets;
  applier: ConfigApplier;
  /** Epoch milliseconds. */
  startedAt: number;
  parkedCalls(): number;
  /** True if no call runs or is parked, and no question is open. */
  isIdle(): boolean;
  http(): { url: string } | undefined;
  tokens: ClientTokens;
}
