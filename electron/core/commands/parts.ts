/** The parts of a running Core: what its commands and the gateway's backend work on. */
import type { EventData, EventName } from '../../../shared/contract.ts';
import type { ClientView } from '../../../shared/model.ts';
import type { Audit, Savings } from '../audit/audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config, ConfigStore } from '../config/config.ts';
import type { PluginSet } from '../discovery/discovery.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Approvals, Asking, Caller, Executor, Offers } from '../execute/execute.ts';
import type { ClientSession } from '../gateway/gateway.ts';
import type { Host } from '../host.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { FoundModel, Lessons } from '../search/search.ts';
import type { ProvideOptions, Supply, Vault } from '../secrets/secrets.ts';
import type { Servers } from '../servers/servers.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';

/** The parts of a running Core that commands work on. */
export interface Parts {
  host: Host;
  config: ConfigStore;
  /** What the config file says, after what the person chose instead. */
  current(): Config;
  plugins: PluginSet;
  catalog: Catalog;
  servers: Servers;
  toolbox: Toolbox;
  executor: Executor;
  approvals: Approvals;
  offers: Offers;
  elicitation: Elicitation;
  audit: Audit;
  savings: Savings;
  lessons: Lessons;
  /** The model that search knows meanings by. */
  model: FoundModel | undefined;
  vault: Vault;
  profiles: Profiles;
  supply: Supply;
  /** Asks the person for what the server lacks, if anything; call it before a server is needed. */
  provide(server: string, waiting: ProvideOptions): Promise<void>;
  startedAt: number;
  isPaused(): boolean;
  setPaused(paused: boolean): void;
  clients(): ClientView[];
  sessions(): ClientSession[];
  /** Whether this client is offered the server at all. */
  reaches(session: ClientSession, server: string): boolean;
  parkedCalls(): number;
  /** How long a call of this server's tools may take without a sign of life. */
  timeoutMs(server: string): number;
  http(): { url: string; tokenFile: string } | undefined;
  /** Brings servers and rules in line with config and settings. */
  reconfigure(): Promise<{ added: string[]; removed: string[]; changed: string[] }>;
  /** Reads the config file again and brings everything in line with it. */
  reload(): Promise<{ added: string[]; removed: string[]; changed: string[] }>;
  /** Tells faces and clients that they may see something else now. */
  profilesChanged(): void;
  asking(caller: Caller): Asking;
  emit<N extends EventName>(name: N, data: EventData<N>): void;
}
