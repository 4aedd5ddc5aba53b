/** Servers: how to reach them, where their configuration came from, and their state. */
import * as z from 'zod';
import { maxTimerMs } from '../max-timer.ts';
import { isReservedName } from '../reserved-name.ts';
import { callStatisticsSchema } from './call.ts';
import { failureSchema } from './failure.ts';
import { registryOriginSchema } from './registry.ts';
import { confinementReportSchema, sandboxSchema } from './sandbox.ts';

export const maxInstances = 16;
/** A fixed number of processes that share the calls, or one process for each client or for each folder that a client works in. */
export const instancesSchema = z.union(
  [z.number().int().min(1).max(maxInstances), z.enum(['per-client', 'per-folder'])],
  {
    error: `a whole number from 1 to ${maxInstances}, "per-client" or "per-folder"`,
  },
);
export const replicasSchema = z.array(z.string().min(1)).max(maxInstances - 1);

/** Redirect URL for the sign-in; only loopback addresses are allowed. */
const loopbackAddress = /^http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}(?:\/[^\s?#]{0,500})?$/;

/** An OAuth client that the user registered, for authorization servers without dynamic client registration. */
export const oauthSchema = z.strictObject({
  clientId: z.string().min(1),
  /** Usually a reference to the vault or to the environment. */
  clientSecret: z.string().min(1).optional(),
  /** The scopes to request instead of those that the server advertises. */
  scopes: z.array(z.string().min(1)).optional(),
  /** The registered redirect URL; by default any port with the path `/callback`. */
  redirectUrl: z
    .string()
    .regex(loopbackAddress, 'a loopback URL with a port, such as "http://localhost:3118/callback"')
    .optional(),
});
export type OAuthClient = z.infer<typeof oauthSchema>;

/** `minimal`: only variables that programs need to run; `shell`: everything from the user's login shell. */
export const environmentSchema = z.enum(['minimal', 'shell']);
export type Environment = z.infer<typeof environmentSchema>;

/** The schema of a connection whose arguments, variables and headers have this schema. */
export const connectionWith = <Text extends z.ZodType<string>>(text: Text) =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('stdio'),
      command: z.string().min(1),
      args: z.array(text).default([]),
      env: z.record(z.string(), text).default({}),
      cwd: z.string().optional(),
      envFile: z.string().optional(),
      /** The environment of the process. By default `minimal`, or the one used by the client that the server was imported from. */
      environment: environmentSchema.optional(),
      /** One process by default. */
      instances: instancesSchema.optional(),
    }),
    z.strictObject({
      type: z.enum(['http', 'sse']),
      url: z.string().min(1),
      headers: z.record(z.string(), text).default({}),
      /** Other URLs of the same server. Calls are distributed over them and `url`. */
      replicas: replicasSchema.optional(),
      oauth: oauthSchema.optional(),
    }),
  ]);

/** How to reach a server. Placeholders (`${VAR}`, `~`) are stored as written and resolved when connecting. */
export const connectionSchema = connectionWith(z.string());
export type Connection = z.infer<typeof connectionSchema>;

const affinitySchema = z.enum(['session', 'none']);

/** A longer delay would end at once. */
const timerMs = z.number().int().max(maxTimerMs);

export const lifecycleSchema = z.strictObject({
  /** Milliseconds without a call after which the server is stopped; 0 keeps it running. */
  idleTimeoutMs: timerMs.min(0).optional(),
  /** Start with the Core instead of on first use. */
  keepAlive: z.boolean().optional(),
  /** Start timeout in milliseconds; the first `npx` run includes a download. */
  startTimeoutMs: timerMs.min(1).optional(),
  /** Timeout of one call in milliseconds. */
  timeoutMs: timerMs.min(1).optional(),
  /** How long the event stream of a remote server may be silent, in milliseconds; without it, any time. */
  readTimeoutMs: timerMs.min(1).optional(),
  /** Interval of health checks of a `keepAlive` server in milliseconds; 0 disables them. */
  healthIntervalMs: timerMs.min(0).optional(),
  /** `session` (default): all calls of a session go to one instance. `none`: each call goes to the least busy instance. */
  affinity: affinitySchema.optional(),
});
export type Lifecycle = z.infer<typeof lifecycleSchema>;

/** The client and file that the server was imported from. */
export const originSchema = z.object({ source: z.string(), file: z.string().optional() });
export type Origin = z.infer<typeof originSchema>;
/** The source of the servers that a trusted folder configures. */
export const folderSource = 'folder';

/** A tool that a configuration declares, until the server itself lists its tools. */
export const declaredToolSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()).optional(),
});

/** Leaves half of a tool's shown name for the tool itself. */
export const maxSlug = 24;
export const slugSchema = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{1,${maxSlug}}$`), `1 to ${maxSlug} of the characters A-Z, a-z, 0-9, "_" and "-"`);

/**
 * The version that an update replaced, for a revert. `accepted`: the fingerprints of its accepted tools by name.
 * `secrets`: the names of the secrets that the update replaced; the vault keeps their values.
 */
export const previousVersionSchema = z.object({
  description: z.string().optional(),
  connection: connectionSchema,
  registry: registryOriginSchema,
  accepted: z.record(z.string(), z.string()),
  secrets: z.array(z.string()).optional(),
});

const anyName = z.string().min(1).max(100);
/** The name of a server that the user adds. */
export const serverNameSchema = anyName.refine(
  (name) => !isReservedName(name),
  'a name that cannot be mistaken for Toolkeep or for you',
);

export const serverConfigSchema = z.strictObject({
  name: anyName,
  description: z.string().optional(),
  /** The prefix of its tools' names for clients, instead of one derived from the server's name. */
  slug: slugSchema.optional(),
  connection: connectionSchema,
  enabled: z.boolean().default(true),
  lifecycle: lifecycleSchema.optional(),
  /** Whether and how its process is confined. */
  sandbox: sandboxSchema.optional(),
  tools: z.array(declaredToolSchema).optional(),
  /** Lists of patterns, as in a rule. A tool that matches one is disabled, because a client that it was imported from disables it. */
  disabledTools: z.array(z.array(z.string())).optional(),
  origins: z.array(originSchema).optional(),
  /** The registry entry that it was installed from. */
  registry: registryOriginSchema.optional(),
  previous: previousVersionSchema.optional(),
});
export type ServerConfig = z.infer<typeof serverConfigSchema>;

/**
 * `idle`: not running, starts on use. `starting`: in one of the phases. `ready`: connected. `failed`: see `failure`.
 * `disabled`: disabled by the user.
 */
export const serverStatusSchema = z.enum(['disabled', 'idle', 'starting', 'ready', 'failed']);
export type ServerStatus = z.infer<typeof serverStatusSchema>;

/** The five phases of registration, in order. */
export const phaseSchema = z.enum(['configuration', 'transport', 'session', 'discovery', 'registration']);
export type Phase = z.infer<typeof phaseSchema>;

export const instanceViewSchema = z.object({
  /** The instance's URL or folder, if instances have different ones. */
  target: z.string().optional(),
  status: serverStatusSchema,
  failure: failureSchema.optional(),
  pid: z.number().optional(),
  startedAt: z.number().optional(),
  restarts: z.number(),
  /** Also `open` while the instance gets no calls because earlier calls failed. */
  breaker: z.enum(['closed', 'open', 'half-open']),
  calls: z.object({ active: z.number(), total: z.number(), failed: z.number() }),
});
export type InstanceView = z.infer<typeof instanceViewSchema>;

/** The result of starting a server once. */
export const serverTrialSchema = z.object({
  toolCount: z.number(),
  durationMs: z.number(),
  version: z.string().optional(),
  /** Why the server does not work. */
  failure: failureSchema.optional(),
});
export type ServerTrial = z.infer<typeof serverTrialSchema>;

export const maxTagLength = 40;
/** The outcome of one discovery. `toolCount` counts the tools that are known afterward, also after a failure. */
export const discoveryResultSchema = z.object({
  server: z.string(),
  success: z.boolean(),
  toolCount: z.number(),
  durationMs: z.number(),
  failure: failureSchema.optional(),
});
export type DiscoveryResult = z.infer<typeof discoveryResultSchema>;

/** A label that the user chose for a group of servers. */
export const serverTagSchema = z.string().trim().min(1).max(maxTagLength);

export const serverViewSchema = z.object({
  /** The configured name: unique, and the first half of every tool key. */
  id: z.string(),
  slug: z.string(),
  description: z.string(),
  /** `plugin`: a plug-in provides the tools. */
  transport: z.enum(['stdio', 'http', 'sse', 'plugin']),
  /** The command line or URL, redacted. */
  target: z.string(),
  status: serverStatusSchema,
  /** True while discovery is running or queued. */
  discovering: z.boolean().optional(),
  phase: phaseSchema.optional(),
  failure: failureSchema.optional(),
  /** Whether its tools are not offered until it recovers. Absent for a server that the next call starts. */
  isUnavailable: z.boolean().optional(),
  /** `needed`: `servers.signIn` would help. Absent unless the server is known to support a sign-in. */
  signIn: z.enum(['needed', 'signedIn']).optional(),
  /** The URL of the browser page on which the user signs in, while a sign-in is in progress. */
  signInPage: z.string().optional(),
  /** The number of valid tools, of which agents see `enabledCount`. */
  toolCount: z.number(),
  enabledCount: z.number(),
  /** When its tools were listed last, in epoch milliseconds. */
  discoveredAt: z.number().optional(),
  promptCount: z.number(),
  resourceCount: z.number(),
  resourceTemplateCount: z.number(),
  /** Identifies the icon that `servers.icon` returns. Absent if the server declares no usable icon. */
  icon: z.string().optional(),
  /** As reported by the server; `updatedFrom` is the previous version. */
  version: z.string().optional(),
  updatedFrom: z.object({ version: z.string(), at: z.number() }).optional(),
  era: z.enum(['legacy', 'modern']).optional(),
  pid: z.number().optional(),
  /** True if its running process was started confined. */
  isConfined: z.boolean().optional(),
  /** Why a local server runs unconfined, if that is known, and whether Toolkeep offers to confine it. */
  unconfined: z.object({ reason: z.string().optional(), isOffered: z.boolean() }).optional(),
  /** Something that a confined server may need and its sandbox does not have, by its name and settings. */
  supposedNeed: z.string().optional(),
  /** Absent unless the server was confined since Toolkeep started. */
  confinement: confinementReportSchema.optional(),
  /** Epoch milliseconds. */
  startedAt: z.number().optional(),
  restarts: z.number(),
  breaker: z.enum(['closed', 'open', 'half-open']),
  /** Duration of each phase of the last start, in milliseconds. */
  phases: z.array(z.object({ phase: phaseSchema, durationMs: z.number() })),
  /** Tools skipped or flagged at the last discovery, irregular output, and risks of the configuration. */
  warnings: z.array(z.string()),
  /** The user's tags, in alphabetical order. Absent if there are none. */
  tags: z.array(z.string()).optional(),
  origins: z.array(originSchema),
  /** The environment that a local server inherits from the login shell. */
  environment: environmentSchema.optional(),
  calls: callStatisticsSchema,
  /** Each client has a process of its own. */
  isPerClient: z.boolean().optional(),
  /** The instances of a server that has several. Their `calls` are counted since Toolkeep started. */
  instances: z.array(instanceViewSchema).optional(),
});
export type ServerView = z.infer<typeof serverViewSchema>;
