/** What Core needs from the machine it runs on. The Electron app and `gatehouse serve` each provide one. */
import type { Answer, Condition, OwnRule, Profile, Question, Routing, ServerConfig } from '../../shared/model.ts';

/** What Gatehouse remembers between runs, besides the config file, the catalog and the audit trail. */
export interface Settings {
  /** Servers that the person imported or added. */
  servers: ServerConfig[];
  /** The person's own rules, tried before those of the config file. */
  rules: OwnRule[];
  /** Servers switched off by the person, wherever they are configured. */
  disabledServers: string[];
  /** The person's own sets of servers and tools. */
  profiles: Profile[];
  /** Standing approvals. */
  grants: Grant[];
  /** Who answers for a client, by its name, where the person chose. */
  routing: Record<string, Routing>;
  /** What happens when an agent wants a tool that is off. */
  whenOff: 'never' | 'notify' | 'ask';
  /** What the person chose that the config file may say otherwise. */
  chosen: Chosen;
  /** Names of the servers that each import brought, the last one last. */
  imports: { at: number; servers: string[] }[];
  /** Ids of plan entries that the person has seen: the others are on offer. */
  seenImports: string[];
  /** Protocol era last seen per server, so that the next start need not probe. */
  eras: Record<string, { era: 'legacy' | 'modern'; discover?: unknown }>;
  /** Window size and other things a face remembers. */
  face: Record<string, unknown>;
}

/** The settings of a person who has chosen nothing yet. */
export const emptySettings: Readonly<Settings> = {
  servers: [],
  rules: [],
  disabledServers: [],
  profiles: [],
  grants: [],
  routing: {},
  whenOff: 'ask',
  chosen: {},
  imports: [],
  seenImports: [],
  eras: {},
  face: {},
};

/** Only what the person chose: the rest is as the config file says. */
export interface Chosen {
  /** Characters of a tool's answer that reach an app at once; 0 hands on every answer whole. */
  partLength?: number;
  /** How long a question waits for the person. */
  questionTimeoutMs?: number;
  /** Apps may connect over HTTP. */
  http?: boolean;
  /** Months of history that are kept; 0 keeps all. */
  historyMonths?: number;
}

/** An approval that outlives its call; bound to the tool's fingerprint. */
export interface Grant {
  id: string;
  /** The client's name for itself. */
  client: string;
  /** One connection of it, for `session`. */
  connection?: string;
  server: string;
  tool: string;
  fingerprint: string;
  conditions: Condition[];
  scope: 'session' | 'minutes' | 'always';
  /** Epoch milliseconds; absent for `always`. */
  expiresAt?: number;
  grantedAt: number;
}

/** How another program starts the bridge. */
export interface BridgeCommand {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** Durable key-value storage; `set` returns after the value is safely on disk. What `get` gives is frozen: copy it to change it. */
export interface Store {
  get<K extends keyof Settings>(key: K): Readonly<Settings[K]>;
  set<K extends keyof Settings>(key: K, value: Settings[K]): void;
}

/** A Store over `values`, which it keeps up to date; `save` puts each change where it lasts. */
export function storeOf(values: Settings, save: (key: keyof Settings, value: unknown) => void): Store {
  const keep = (key: keyof Settings, value: unknown) => {
    values[key] = frozen(structuredClone(value)) as never;
  };
  for (const [key, value] of Object.entries(values)) keep(key as keyof Settings, value);
  return {
    get: (key) => values[key],
    set(key, value) {
      keep(key, value);
      save(key, values[key]);
    },
  };
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** Seals secrets with what the platform offers. `persistent: false` means memory for this run only. */
export interface Sealer {
  readonly persistent: boolean;
  /** For people: "macOS Keychain", "memory for this run". */
  readonly label: string;
  seal(plain: string): Promise<string>;
  /** `onResealed` gets the secret sealed anew when the platform's key has changed; keep that instead. */
  unseal(sealed: string, onResealed?: (sealed: string) => void): Promise<string>;
}

export interface Host {
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  /** `GATEHOUSE_HOME` or `~/.gatehouse`; exists with mode 0700. */
  readonly dataDir: string;
  /** Where project configs are looked for. */
  readonly cwd: string;
  /** Environment of the login shell merged over that of the process, resolved before Core starts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly bridge: BridgeCommand;
  readonly sealer: Sealer;
  /** Opens a URL outside; only http and https are ever passed. */
  openUrl(url: string): Promise<void>;
  /**
   * Asks the person with the machine's own means (native dialog, prompt window). Resolves with undefined when this host
   * cannot or the question was withdrawn; the faces on the Wire are asked all the same, and the first answer wins.
   */
  ask?(question: Question, signal: AbortSignal): Promise<Answer | undefined>;
  /** One line for the log; never a secret. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
}
