/** Servers: how to reach one, where it came from, how it is. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';

export const maxInstances = 16;
export const instancesSchema = z.number().int().min(1).max(maxInstances);
export const replicasSchema = z.array(z.string().min(1)).max(maxInstances - 1);

/** Where the browser comes back to; only this machine can be meant. */
const loopbackAddress = /^http:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}(?:\/[^\s?#]{0,500})?$/;

/** A client that the person registered at the authorization server, for servers that let none register by itself. */
export const oauthSchema = z.strictObject({
  clientId: z.string().min(1),
  /** Mostly a reference to the vault or to the environment. */
  clientSecret: z.string().min(1).optional(),
  /** Asked for instead of what the server names. */
  scopes: z.array(z.string().min(1)).optional(),
  /** The address it was registered with; any port and `/callback` if it is not said. */
  redirectUrl: z
    .string()
    .regex(loopbackAddress, 'an address like "http://localhost:3118/callback" on this machine, with its port')
    .optional(),
});
export type OAuthClient = z.infer<typeof oauthSchema>;

/** How to reach a server. Placeholders (`${VAR}`, `~`) stand as written; they are resolved at connect time. */
export const connectionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().optional(),
    envFile: z.string().optional(),
    /** So many processes share the calls; one if it is not said. */
    instances: instancesSchema.optional(),
  }),
  z.strictObject({
    type: z.enum(['http', 'sse']),
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).default({}),
    /** Further addresses of the same server, which share the calls with `url`. */
    replicas: replicasSchema.optional(),
    oauth: oauthSchema.optional(),
  }),
]);
export type Connection = z.infer<typeof connectionSchema>;

export const spreadSchema = z.enum(['sessions', 'calls']);

export const lifecycleSchema = z.strictObject({
  /** Milliseconds without a call after which the server is stopped; 0 keeps it running. */
  idleTimeoutMs: z.number().int().min(0).optional(),
  /** Start with the Core instead of on first use. */
  keepAlive: z.boolean().optional(),
  /** Milliseconds that the start may take; a first `npx` run downloads meanwhile. */
  startTimeoutMs: z.number().int().min(1).optional(),
  /** Milliseconds a single call may take. */
  timeoutMs: z.number().int().min(1).optional(),
  /** What goes to one instance: all calls of a session (if it is not said), or each call to whichever has least to do. */
  spread: spreadSchema.optional(),
});
export type Lifecycle = z.infer<typeof lifecycleSchema>;

/** Where a server's configuration came from: an app and its file, or our own config. */
export const originSchema = z.object({ source: z.string(), file: z.string().optional() });
export type Origin = z.infer<typeof originSchema>;

export const serverConfigSchema = z.strictObject({
  name: z.string().min(1).max(100),
  description: z.string().optional(),
  connection: connectionSchema,
  enabled: z.boolean().default(true),
  lifecycle: lifecycleSchema.optional(),
  origins: z.array(originSchema).optional(),
});
export type ServerConfig = z.infer<typeof serverConfigSchema>;

/**
 * `idle`: known from the catalog or not yet needed, starts on use. `starting`: one of the phases runs. `ready`: connected.
 * `failed`: see failure. `disabled`: switched off by the person.
 */
export const serverStatusSchema = z.enum(['disabled', 'idle', 'starting', 'ready', 'failed']);
export type ServerStatus = z.infer<typeof serverStatusSchema>;

/** The five phases of registration, in order (requirement rows D1 to D5). */
export const phaseSchema = z.enum(['configuration', 'transport', 'session', 'discovery', 'registration']);
export type Phase = z.infer<typeof phaseSchema>;

export const instanceViewSchema = z.object({
  /** Its address, where the instances differ in that. */
  target: z.string().optional(),
  status: serverStatusSchema,
  failure: failureSchema.optional(),
  pid: z.number().optional(),
  startedAt: z.number().optional(),
  restarts: z.number(),
  /** `open` also while it gets no calls because they failed on it. */
  breaker: z.enum(['closed', 'open', 'half-open']),
  calls: z.object({ active: z.number(), total: z.number(), failed: z.number() }),
});
export type InstanceView = z.infer<typeof instanceViewSchema>;

export const serverViewSchema = z.object({
  /** The config name: unique, the first half of every tool key. */
  id: z.string(),
  slug: z.string(),
  description: z.string(),
  /** `plugin`: there is no server; a plug-in brings the tools. */
  transport: z.enum(['stdio', 'http', 'sse', 'plugin']),
  /** The command line or URL with secrets masked. */
  target: z.string(),
  status: serverStatusSchema,
  /** It is being looked at, or waits for its turn to be. */
  discovering: z.boolean().optional(),
  phase: phaseSchema.optional(),
  failure: failureSchema.optional(),
  /** `needed`: `servers.signIn` would help. Absent where nothing is known of a sign-in. */
  signIn: z.enum(['needed', 'signedIn']).optional(),
  /** Tools, invalid ones excluded; `enabledCount` is what agents can see. */
  toolCount: z.number(),
  enabledCount: z.number(),
  promptCount: z.number(),
  resourceCount: z.number(),
  /** As the server says it, and what it said before that. */
  version: z.string().optional(),
  updatedFrom: z.object({ version: z.string(), at: z.number() }).optional(),
  era: z.enum(['legacy', 'modern']).optional(),
  pid: z.number().optional(),
  /** Epoch milliseconds. */
  startedAt: z.number().optional(),
  restarts: z.number(),
  breaker: z.enum(['closed', 'open', 'half-open']),
  /** Duration of each phase of the last start, in milliseconds. */
  phases: z.array(z.object({ phase: phaseSchema, durationMs: z.number() })),
  /** Tools skipped or flagged at the last discovery, in plain words. */
  warnings: z.array(z.string()),
  origins: z.array(originSchema),
  calls: z.object({ total: z.number(), failed: z.number(), averageMs: z.number() }),
  /** Each instance, of a server that has several; `calls` are those since Gatehouse started. */
  instances: z.array(instanceViewSchema).optional(),
});
export type ServerView = z.infer<typeof serverViewSchema>;
