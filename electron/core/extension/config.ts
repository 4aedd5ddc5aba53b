/** What a person writes in a config file, as types: `import type { GatehouseConfig } from 'gatehouse/config'`. */

/** Seconds, or a number with a unit: `'500ms'`, `'30s'`, `'2m'`, `'1h'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`;

export interface ServerEntry {
  description?: string;
  enabled?: boolean;
  /** How to reach it. `command` or `url` may also stand beside the other keys. */
  connection?: Partial<StdioEntry> | Partial<RemoteEntry>;
  lifecycle?: {
    idleTimeoutMs?: number;
    keepAlive?: boolean;
    startTimeoutMs?: number;
    timeoutMs?: number;
    /** With several instances: `sessions` (the default) keeps a client's calls on one, `calls` spreads each call. */
    spread?: 'sessions' | 'calls';
  };
}

export interface StdioEntry {
  type: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string | number | boolean>;
  cwd?: string;
  envFile?: string;
  /** So many processes share the calls. */
  instances?: number;
}

export interface RemoteEntry {
  type: 'http' | 'sse';
  url: string;
  headers?: Record<string, string>;
  /** Further addresses of the same server, which share the calls with `url`. */
  replicas?: string[];
  /** A client that you registered yourself, for servers that let none register. */
  oauth?: { clientId: string; clientSecret?: string; scopes?: string[]; redirectUrl?: string };
}

export interface RuleEntry {
  server?: string;
  pattern?: string | string[];
  enabled?: boolean;
  confirm?: 'always' | 'never' | 'auto';
  tags?: string[];
}

export interface ProfileEntry {
  description?: string;
  servers?: string | string[];
  tags?: string | string[];
  mode?: 'lazy' | 'full' | 'hybrid';
}

export interface GatehouseConfig {
  enabled?: boolean;
  cache?: { enabled?: boolean /** Seconds. */; ttl?: number };
  sources?: { type: string; path?: string }[];
  servers?: ((ServerEntry & { name: string }) | Record<string, unknown>)[] | Record<string, ServerEntry>;
  toolRules?: RuleEntry[];
  /** Named sets of servers and tools, for `gatehouse connect --profile NAME`. */
  profiles?: Record<string, ProfileEntry>;
  /** Plug-in objects, or paths and package names of modules that export one. */
  plugins?: (string | object)[];
  refreshInterval?: Duration | 'development' | 'staging' | 'production' | false;
  approvals?: { mode?: 'ask' | 'never'; timeout?: Duration; patience?: Duration };
  elicitation?: {
    routing?: 'here' | 'client' | 'both';
    timeout?: Duration;
    fallback?: 'timeout' | 'default' | 'error';
  };
  /** `detail: false` keeps processes, addresses and timings out of the status. */
  status?: { detail?: boolean };
  http?: { enabled?: boolean; port?: number };
  /** Months of history that are kept; 0, the default, keeps all. */
  history?: { months?: number };
  /** The folder of a model of static embeddings, and how much meaning counts beside words (0 to 1). */
  search?: { model?: string; weight?: number };
  /**
   * Text results above `partLength` characters (0: never, the default) reach agents in parts; `structured` cuts structured
   * content too; `except` names clients that page by themselves (`['claude-code']`).
   */
  results?: { partLength?: number; structured?: boolean; except?: string[] };
  lifecycle?: {
    idleTimeout?: Duration;
    callTimeout?: Duration;
    discoveryTimeout?: Duration;
    concurrentStarts?: number;
  };
}

/** Gives a config its type in editors; returns it as it is. */
export function defineConfig(config: GatehouseConfig): GatehouseConfig {
  return config;
}
