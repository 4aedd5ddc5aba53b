/** The types of a config file: `import type { ToolkeepConfig } from 'toolkeep/config'`. */

import type { Environment } from '../../../shared/model/server.ts';
import type { Category, SafetyLevel } from '../../../shared/model/tool.ts';

/** Seconds, or a number with a unit: `'500ms'`, `'30s'`, `'2m'`, `'1h'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`;

export interface ServerEntry {
  description?: string;
  /** The prefix of its tool names in full mode; by default, derived from the server's name. */
  slug?: string;
  enabled?: boolean;
  /** How to connect to the server. `command` or `url` may also be next to the other keys. */
  connection?: Partial<StdioEntry> | Partial<RemoteEntry>;
  lifecycle?: {
    idleTimeoutMs?: number;
    keepAlive?: boolean;
    startTimeoutMs?: number;
    timeoutMs?: number;
    /** How long the event stream of a remote server may be silent. */
    readTimeoutMs?: number;
    /** Interval of health checks with `keepAlive`; 0 disables them. */
    healthIntervalMs?: number;
    /** With several instances: `session` (the default) sends a client's calls to one instance, `none` balances each call. */
    affinity?: 'session' | 'none';
  };
  /** Confines the server's process (Linux only): `true`, `auto`, or what it may use besides its own program. */
  sandbox?:
    | boolean
    | 'auto'
    | {
        /** Also allows what the entry suggests, and asks about each other host. */
        auto?: boolean;
        files?: { read?: string[]; write?: string[] };
        network?: { allow?: string[]; local?: boolean };
        /** By variable: the hosts that receive the secret, or `hold` if the server needs the secret itself. */
        secrets?: Record<string, { hosts?: string[]; places?: string[]; hold?: boolean }>;
      };
  /** The tools to show until the server lists its own. */
  tools?: { [key: string]: unknown; name: string; description?: string; inputSchema?: Record<string, unknown> }[];
}

export interface StdioEntry {
  type: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string | number | boolean>;
  cwd?: string;
  envFile?: string;
  /** `minimal` (the default): only variables that programs need to run. `shell`: everything from your login shell. */
  environment?: Environment;
  /** The number of processes that share the calls, or one process for each client or for each client's folder. */
  instances?: number | 'per-client' | 'per-folder';
}

export interface RemoteEntry {
  type: 'http' | 'sse';
  url: string;
  headers?: Record<string, string>;
  /** More URLs of the same server. Calls are balanced across them and `url`. */
  replicas?: string[];
  /** An OAuth client that you registered yourself, for servers without dynamic client registration. */
  oauth?: { clientId: string; clientSecret?: string; scopes?: string[]; redirectUrl?: string };
}

export interface RuleEntry {
  /** The ID of a client with an entry, or the name of a token. */
  client?: string;
  server?: string;
  pattern?: string | string[];
  /** Only tools of these safety levels. */
  safety?: SafetyLevel | SafetyLevel[];
  /** Only tools of these categories. */
  category?: Category | Category[];
  enabled?: boolean;
  confirm?: 'always' | 'never' | 'auto';
  /** `any`: calls that act may have new destinations without approval. */
  destinations?: 'known' | 'any';
  tags?: string[];
}

export interface ProfileEntry {
  description?: string;
  servers?: string | string[];
  tags?: string | string[];
  /** Only tools of these safety levels. */
  safety?: SafetyLevel | SafetyLevel[];
  /** Only tools of these categories. */
  category?: Category | Category[];
  mode?: 'lazy' | 'full' | 'hybrid';
  /** Offers `read_tool` beside `execute_tool`. */
  readTool?: boolean;
}

export interface ToolkeepConfig {
  enabled?: boolean;
  cache?: { enabled?: boolean /** Seconds. */; ttl?: number };
  sources?: { type: string; path?: string }[];
  servers?: ((ServerEntry & { name: string }) | Record<string, unknown>)[] | Record<string, ServerEntry>;
  toolRules?: RuleEntry[];
  /** Sets of servers and tools by name, for `toolkeep connect --profile NAME`. */
  profiles?: Record<string, ProfileEntry>;
  /** Plug-in objects, or paths or package names of modules that export one. */
  plugins?: (string | object)[];
  refreshInterval?: Duration | 'development' | 'staging' | 'production' | false;
  approvals?: {
    mode?: 'ask' | 'never';
    ask?: 'acts' | 'dangerous' | 'all';
    /** `any`: calls that act may have new destinations without approval. */
    destinations?: 'known' | 'any';
    /** `leaks`: a call that reads needs approval if an address in it may carry data to an unknown site. */
    reads?: 'leaks' | 'off';
    /** Destinations that every client may use. */
    known?: { server: string; tool?: string; kind: string; value: string }[];
    timeout?: Duration;
    clientTimeout?: Duration;
    newTools?: 'hold' | 'allow';
  };
  elicitation?: {
    /** If false, Toolkeep declines every question from a tool. */
    enabled?: boolean;
    /** Time limits by tool pattern, as in rules. The first matching pattern applies. */
    timeouts?: Record<string, Duration>;
    routing?: 'toolkeep' | 'client' | 'both';
    timeout?: Duration;
    fallback?: 'timeout' | 'default' | 'error';
  };
  /** Clients that get `execute_tools`, which runs many calls after one question; `maxCalls` is at most 100. */
  batch?: { clients?: string[]; maxCalls?: number };
  /** `detail: false` removes processes, addresses and timings from the status. */
  status?: { detail?: boolean };
  /** If `page` is true, the desktop app also serves the window as a web page. */
  http?: { enabled?: boolean; port?: number; page?: boolean };
  /** Months of history and days of results to keep. By default, history is kept forever and results until Toolkeep quits. */
  history?: { months?: number; resultDays?: number };
  /** Whether the servers that you add are confined, where this computer can (Linux only). */
  sandbox?: { newServers?: 'confine' | 'off' };
  /** Whether to trust the system's certificate authorities, and whether to use the environment's proxy. */
  network?: { systemCertificates?: boolean; proxy?: boolean };
  /** If false, the desktop app does not look for new versions. */
  updates?: { enabled?: boolean };
  /** The registries from which you can install servers. */
  registries?: { name: string; url: string }[];
  /**
   * Text results longer than `maxCharacters` (0, the default, means never) are paged; `structured` pages structured content
   * too; `except` lists clients that page results themselves (`['claude-code']`).
   */
  results?: { maxCharacters?: number; structured?: boolean; except?: string[] };
  lifecycle?: {
    idleTimeout?: Duration;
    callTimeout?: Duration;
    discoveryTimeout?: Duration;
    concurrentStarts?: number;
  };
}

/** Returns the config unchanged. Its type lets editors check and complete the keys. */
export function defineConfig(config: ToolkeepConfig): ToolkeepConfig {
  return config;
}

/** Like `defineConfig`, for a config file that has other sections besides `discovery`. */
export function config<C extends { discovery?: ToolkeepConfig }>(sections: C): C {
  return sections;
}
