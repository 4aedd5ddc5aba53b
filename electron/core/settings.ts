/** The state that Toolkeep keeps between runs, besides the config file, the catalog and the history. */
import * as z from 'zod';
import { routingSchema } from '../../shared/model/call.ts';
import { setupStepSchema } from '../../shared/model/home.ts';
import { profileSchema } from '../../shared/model/profile.ts';
import { conditionSchema, grantScopeSchema, knownDestinationSchema } from '../../shared/model/question.ts';
import { overrideSchema, ownRuleSchema } from '../../shared/model/rule.ts';
import type { ServerConfig } from '../../shared/model/server.ts';
import { historyMonthsSchema, resultDaysSchema } from '../../shared/model/setting.ts';
import { tokenKindSchema } from '../../shared/model/token.ts';

const texts = z.array(z.string());

const owner = {
  /** `Client.identity`; absent if it applies to every client. */
  identity: z.string().optional(),
  /** `Client.id` of the connection that it is limited to, if it lasts one session. */
  connection: z.string().optional(),
};

/** The tags of one server, in alphabetical order. */
const serverTagsSchema = z.object({ server: z.string(), tags: texts });
export type ServerTags = z.infer<typeof serverTagsSchema>;

/** The user's choices for settings that the config file may also set. Absent fields follow the file. */
const userSettingsSchema = z.strictObject({
  /** Maximum characters of a tool result that reach a client at once; 0 forwards every result whole. */
  maxResultCharacters: z.number().optional(),
  /** Timeout of a question to the user. */
  questionTimeoutMs: z.number().optional(),
  /** Whether clients may connect over HTTP. */
  http: z.boolean().optional(),
  /** Months of history to keep; 0 keeps all. */
  historyMonths: historyMonthsSchema.optional(),
  /** Days to keep the results of calls; 0 keeps them until Toolkeep quits. */
  resultDays: resultDaysSchema.optional(),
  /** Whether the desktop app looks for new versions and installs them. */
  updates: z.boolean().optional(),
});
export type UserSettings = z.infer<typeof userSettingsSchema>;

/** A destination that the user has allowed. */
const allowedDestinationSchema = knownDestinationSchema.extend(owner);
export type KnownDestination = z.infer<typeof allowedDestinationSchema>;

/** An approval that outlives its call; bound to the tool's fingerprint. */
const grantSchema = z.object({
  ...owner,
  id: z.string(),
  /** The client's own name, for display; empty if the grant applies to every client. */
  client: z.string(),
  server: z.string(),
  /** `acts`: covers every tool of the server except dangerous ones; `tool` and `fingerprint` are empty. */
  covers: z.enum(['tool', 'acts']).optional(),
  tool: z.string(),
  fingerprint: z.string(),
  conditions: z.array(conditionSchema),
  /** The choices of the approved call that select what the tool does; the grant covers no others. */
  choices: z.array(conditionSchema).optional(),
  /** The names of the approved arguments at any depth; a narrowed grant covers no others. */
  argumentNames: texts.optional(),
  /** Covers only known destinations; absent for any destination. */
  destinations: z.literal('known').optional(),
  scope: grantScopeSchema.exclude(['once']),
  /** Epoch milliseconds; absent for `always`. */
  expiresAt: z.number().optional(),
  grantedAt: z.number(),
});
export type Grant = z.infer<typeof grantSchema>;

/** Checks only what Core needs to start, because the rest may come from another version. */
const serverSchema = z.object({
  name: z.string().min(1),
  enabled: z.boolean().optional(),
  connection: z.object({}),
}) as unknown as z.ZodType<ServerConfig>;

/** The user's decisions about a removed server. */
const keptDecisionsSchema = z.object({
  /** By setting: the server's entries with their places in the list. */
  settings: z.record(z.string(), z.array(z.object({ at: z.number(), entry: z.unknown() }))),
  /** The pins of its tools by key. */
  pins: z.record(z.string(), z.unknown()),
});
export type KeptDecisions = z.infer<typeof keptDecisionsSchema>;

/** A server that the user can restore. */
const removedServerSchema = z.object({
  config: serverSchema,
  decisions: keptDecisionsSchema,
  /** Sealed values by name. */
  secrets: z.record(z.string(), z.string()),
  removedAt: z.number(),
});
export type RemovedServer = z.infer<typeof removedServerSchema>;

/** Only checked, not parsed: values keep fields of other versions. */
export const settingSchemas = {
  /** Servers that the user imported or added. */
  servers: z.array(serverSchema),
  /** The user's own rules, considered before those of the config file. */
  rules: z.array(ownRuleSchema),
  /** The user's settings for single tools; considered before all rules. */
  overrides: z.array(overrideSchema),
  /** Servers that the user removed, newest first. */
  removedServers: z.array(removedServerSchema),
  /** Servers that the user disabled, wherever they are configured. */
  disabledServers: texts,
  /** The tags that the user gave to servers. */
  serverTags: z.array(serverTagsSchema),
  /** The user's own sets of servers and tools. */
  profiles: z.array(profileSchema),
  /** Standing approvals. */
  grants: z.array(grantSchema),
  /** Destinations that the user has allowed. */
  knownDestinations: z.array(allowedDestinationSchema),
  /** The user's choice of who answers questions, by client name. */
  routing: z.record(z.string(), routingSchema),
  /** The user's choice whether a client may send many calls at once, by client name. */
  batch: z.record(z.string(), z.boolean()),
  /** The response to an agent's request for a disabled tool. */
  enableRequests: z.enum(['never', 'notify', 'ask']),
  userSettings: userSettingsSchema,
  /** Names of the servers that each import added, the latest import last. */
  imports: z.array(z.object({ at: z.number(), servers: texts })),
  /** IDs of the import entries that the user has seen. Other new entries are marked as unseen. */
  seenImports: texts,
  /** URLs of the registries that the user enabled. Core contacts no others. */
  registries: texts,
  /** By server: the protocol era found at its last start, whether it asked for roots, and how often it started. */
  eras: z.record(
    z.string(),
    z.object({
      era: z.enum(['legacy', 'modern']),
      usesRoots: z.boolean().optional(),
      keepsState: z.boolean().optional(),
      /** Starts that succeeded, until they are enough to offer confinement. */
      starts: z.number().optional(),
    }),
  ),
  /** When each client with Toolkeep's entry last connected, in epoch milliseconds. */
  lastConnections: z.record(z.string(), z.number()),
  /** Bearer tokens of HTTP clients, as hashes. */
  clientTokens: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: tokenKindSchema.optional(),
      profile: z.string().optional(),
      hash: z.string(),
      createdAt: z.number(),
    }),
  ),
  /** The pause of all tools. `until`: epoch milliseconds; absent if it lasts until the user resumes. */
  pause: z.object({ until: z.number().optional() }).optional(),
  /** The current step of the first-run setup; undefined until the user has seen it. */
  setupStep: setupStepSchema.optional(),
  /** Window size and other UI state. */
  windowState: z.record(z.string(), z.unknown()),
};

export type Settings = { [K in keyof typeof settingSchemas]: z.infer<(typeof settingSchemas)[K]> };

/** The settings of a new user. */
export const emptySettings: Readonly<Settings> = {
  servers: [],
  rules: [],
  overrides: [],
  removedServers: [],
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
  pause: undefined,
  setupStep: undefined,
  windowState: {},
};

/** Durable key-value storage. `set` returns after the value is safely on disk. `get` returns a frozen value: copy it to change it. */
export interface Store {
  get<K extends keyof Settings>(key: K): Readonly<Settings[K]>;
  set<K extends keyof Settings>(key: K, value: Settings[K]): void;
  /** Calls `listener` after each change. */
  follow(listener: (key: keyof Settings, before: unknown, after: unknown) => void): void;
}

/** Sets a setting to what `change` returns for its value. */
export function changeSetting<K extends keyof Settings>(
  store: Store,
  key: K,
  change: (value: Readonly<Settings[K]>) => Settings[K],
): void {
  store.set(key, change(store.get(key)));
}

/** A Store over `values`, which it keeps up to date; `save` writes each change to durable storage. */
export function storeOf(values: Settings, save: (key: keyof Settings, value: unknown) => void): Store {
  const keep = (key: keyof Settings, value: unknown) => {
    values[key] = frozen(structuredClone(value)) as never;
  };
  for (const [key, value] of Object.entries(values)) keep(key as keyof Settings, value);
  const listeners: Parameters<Store['follow']>[0][] = [];
  return {
    get: (key) => values[key],
    set(key, value) {
      const before = values[key];
      keep(key, value);
      save(key, values[key]);
      for (const listener of listeners) listener(key, before, values[key]);
    },
    follow: (listener) => void listeners.push(listener),
  };
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
