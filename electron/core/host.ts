/** The interface through which Core uses its machine. The Electron app and `toolkeep serve` each implement it. */

import type { Failure } from '../../shared/failure.ts';
import type { Routing } from '../../shared/model/call.ts';
import type { SetupStep } from '../../shared/model/home.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { Answer, Condition, KnownDestinationView, Question } from '../../shared/model/question.ts';
import type { Override, OwnRule } from '../../shared/model/rule.ts';
import type { ServerConfig } from '../../shared/model/server.ts';
import type { TokenKind } from '../../shared/model/token.ts';
import type { UpdateView } from '../../shared/model/update.ts';

/** State that Toolkeep keeps between runs, besides the config file, the catalog and the history. */
export interface Settings {
  /** Servers that the user imported or added. */
  servers: ServerConfig[];
  /** The user's own rules, considered before those of the config file. */
  rules: OwnRule[];
  /** The user's settings for single tools; considered before all rules. */
  overrides: Override[];
  /** Servers that the user disabled, wherever they are configured. */
  disabledServers: string[];
  /** The tags that the user gave to servers. */
  serverTags: ServerTags[];
  /** The user's own sets of servers and tools. */
  profiles: Profile[];
  /** Standing approvals. */
  grants: Grant[];
  /** Destinations that the user has allowed. */
  knownDestinations: KnownDestination[];
  /** The user's choice of who answers questions, by client name. */
  routing: Record<string, Routing>;
  /** The user's choice whether a client may send many calls at once, by client name. */
  batch: Record<string, boolean>;
  /** The response to an agent's request for a disabled tool. */
  enableRequests: 'never' | 'notify' | 'ask';
  /** The user's choices for settings that the config file may also set. */
  userSettings: UserSettings;
  /** Names of the servers that each import added, the latest import last. */
  imports: { at: number; servers: string[] }[];
  /** IDs of the import entries that the user has seen. Other new entries are marked as unseen. */
  seenImports: string[];
  /** URLs of the registries that the user enabled. Core contacts no others. */
  registries: string[];
  /** By server: the protocol era found at its last start, and whether it asked for roots. */
  eras: Record<string, { era: 'legacy' | 'modern'; usesRoots?: boolean; keepsState?: boolean }>;
  /** When each client with Toolkeep's entry last connected, in epoch milliseconds. */
  lastConnections: Record<string, number>;
  /** Bearer tokens of HTTP clients, as hashes. */
  clientTokens: { id: string; name: string; kind?: TokenKind; profile?: string; hash: string; createdAt: number }[];
  /** The current step of the first-run setup; undefined until the user has seen it. */
  setupStep: SetupStep | undefined;
  /** Window size and other UI state. */
  windowState: Record<string, unknown>;
}

/** The settings of a new user. */
export const emptySettings: Readonly<Settings> = {
  servers: [],
  rules: [],
  overrides: [],
  disabledServers: [],
  serverTags: [],
  profiles: [],
  grants: [],
  knownDestinations: [],
  routing: {},
  batch: {},
  enableRequests: 'ask',
  userSettings: {},
  imports: [],
  seenImports: [],
  registries: [],
  eras: {},
  lastConnections: {},
  clientTokens: [],
  setupStep: undefined,
  windowState: {},
};

/** The tags of one server, in alphabetical order. */
export interface ServerTags {
  server: string;
  tags: string[];
}

/** The user's choices for settings that the config file may also set. Absent fields follow the file. */
export interface UserSettings {
  /** Maximum characters of a tool result that reach a client at once; 0 forwards every result whole. */
  maxResultCharacters?: number;
  /** Timeout of a question to the user. */
  questionTimeoutMs?: number;
  /** Whether clients may connect over HTTP. */
  http?: boolean;
  /** Months of history to keep; 0 keeps all. */
  historyMonths?: number;
  /** Days to keep the results of calls; 0 keeps them until Toolkeep quits. */
  resultDays?: number;
  /** Whether the desktop app looks for new versions and installs them. */
  updates?: boolean;
}

/** A destination that the user has allowed. */
export interface KnownDestination extends KnownDestinationView {
  /** `Client.identity`; absent if the destination is known for every client. */
  identity?: string;
  /** `Client.id` of the connection that it is limited to. */
  connection?: string;
}

/** An approval that outlives its call; bound to the tool's fingerprint. */
export interface Grant {
  id: string;
  /** The client's own name, for display; empty if the grant applies to every client. */
  client: string;
  /** `Client.identity`; absent if the grant applies to every client. */
  identity?: string;
  /** `Client.id` of the connection that the grant is limited to, if the scope is `session`. */
  connection?: string;
  server: string;
  /** `acts`: covers every tool of the server except dangerous ones; `tool` and `fingerprint` are empty. */
  covers?: 'tool' | 'acts';
  tool: string;
  fingerprint: string;
  conditions: Condition[];
  /** The choices of the approved call that select what the tool does; the grant covers no others. */
  choices?: Condition[];
  /** The names of the approved arguments at any depth; a narrowed grant covers no others. */
  argumentNames?: string[];
  /** Covers only known destinations; absent for any destination. */
  destinations?: 'known';
  scope: 'session' | 'minutes' | 'day' | 'always';
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

/** Durable key-value storage. `set` returns after the value is safely on disk. `get` returns a frozen value: copy it to change it. */
export interface Store {
  get<K extends keyof Settings>(key: K): Readonly<Settings[K]>;
  set<K extends keyof Settings>(key: K, value: Settings[K]): void;
}

/** A Store over `values`, which it keeps up to date; `save` writes each change to durable storage. */
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

/** Seals secrets with the platform's key storage. If `persistent` is false, the key exists only in memory for this run. */
export interface Sealer {
  readonly persistent: boolean;
  /** Display name: "macOS Keychain", "memory for this run". */
  readonly label: string;
  seal(plain: string): Promise<string>;
  /** If the platform's key changed, `onResealed` receives the secret sealed with the new key. Store that instead. */
  unseal(sealed: string, onResealed?: (sealed: string) => void): Promise<string>;
}

/** Installs new versions of the desktop app. */
export interface Updates {
  view(): UpdateView;
  /** `listener` is called after each change of the view. */
  onChange(listener: () => void): void;
  /** The app does not contact the update feed until this is first called with true. */
  enable(isEnabled: boolean): void;
  /** Looks for a new version now, unless that is disabled. Resolves when the feed has answered; never rejects. */
  check(): Promise<void>;
  /** Quits the app, installs the update that is ready, and starts the app again. */
  restart(): void;
}

export interface Host {
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  /** `TOOLKEEP_HOME` or `~/.toolkeep`; exists with mode 0700. */
  readonly dataDir: string;
  /** The folder that relative paths and clients' project files are resolved against. */
  readonly cwd: string;
  /** The folder whose configuration Core uses if the user trusts it; absent when Core was started by a client. */
  readonly projectDir?: string;
  /** Environment of the login shell merged over that of the process, resolved before Core starts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  /** The damage of the stored settings when Toolkeep started; absent if they were valid. */
  readonly settingsProblem?: Failure;
  readonly bridge: BridgeCommand;
  /** Why clients could not start the bridge later, and the next step; absent if they could. */
  readonly bridgeProblem?: string;
  readonly sealer: Sealer;
  /** Opens a URL in the browser. Only http and https URLs are ever passed. */
  openUrl(url: string): Promise<void>;
  /**
   * Asks the user in the prompt window. Resolves with undefined if this host cannot ask or the question was
   * withdrawn. UIs on the Wire show the question as well, and the first answer wins.
   */
  ask?(question: Question, signal: AbortSignal): Promise<Answer | undefined>;
  /** Calls `listener` when the user leaves (a locked screen, a sleeping computer) and comes back. */
  onPresence?(listener: (isAway: boolean) => void): void;
  /** Absent if this installation cannot update itself. */
  readonly updates?: Updates;
  /** One sentence for the user on how to update this installation, if it cannot update itself. */
  readonly howToUpdate?: string;
  /** Writes one line to the log. `message` must not contain a secret. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string): void;
  /** The last lines of the log, oldest first. */
  recentLog(): Promise<string[]>;
}

/** Determines where the user's programs keep their settings and caches. */
export type Machine = Pick<Host, 'homeDir' | 'platform' | 'env'>;
