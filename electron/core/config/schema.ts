/** The form of a config document, its defaults, and how written values become the ones that Core works with. */
import * as z from 'zod';
import {
  confirmSchema,
  historyMonthsSchema,
  instancesSchema,
  oauthSchema,
  type Profile,
  profileSchema,
  type Rule,
  replicasSchema,
  type ServerConfig,
  spreadSchema,
} from '../../../shared/model.ts';
import { standardTuning } from '../search/search.ts';

export interface Config {
  /** False: no server is offered to any client. */
  enabled: boolean;
  /** `ttl` in seconds. */
  cache: { enabled: boolean; ttl: number };
  /** Client files to follow; paths are absolute, and empty where the client's usual place is meant. */
  sources: { type: string; path: string }[];
  servers: ServerConfig[];
  toolRules: Rule[];
  profiles: Profile[];
  /** Plug-in objects (from TypeScript and JavaScript configs), absolute module paths, or package names. */
  plugins: unknown[];
  /** Milliseconds between looks for changed tools; 0 switches the timer off. */
  refreshIntervalMs: number;
  /**
   * `never`: what would ask is refused at once. `timeoutMs`: how long a question stays open. `patienceMs`: how long a call
   * is kept waiting before its client is told to call again, safely within the minute that clients allow.
   */
  approvals: { mode: 'ask' | 'never'; timeoutMs: number; patienceMs: number };
  /** Who answers what tools ask, and what happens when nobody does. */
  elicitation: { routing: 'here' | 'client' | 'both'; timeoutMs: number; fallback: 'timeout' | 'default' | 'error' };
  /** The loopback endpoint for clients that speak streamable HTTP; port 0 takes any free one. */
  http: { enabled: boolean; port: number };
  /** Months of history that are kept; 0 keeps all. */
  history: { months: number };
  /** Without a call for so long, a server is stopped; 0 keeps all running. */
  idleTimeoutMs: number;
  /** Limit of one tool call, at least 5 s (requirement row B3). */
  callTimeoutMs: number;
  /** Limit of one discovery, at least 5 s (requirement row B3). */
  discoveryTimeoutMs: number;
  concurrentStarts: number;
  /** Whether the status tells of processes, addresses and timings (requirement row E8). */
  statusDetail: boolean;
  /** Search by meaning: the folder of the model (absolute), empty for the usual place; and how much it counts. */
  search: { model: string; weight: number };
  /** Long results in parts: see the gateway. `partLength` 0 hands on every result as it is. */
  results: { partLength: number; structured: boolean; except: string[] };
}

type Env = Readonly<Record<string, string | undefined>>;

const refreshPresets = { development: 30_000, staging: 120_000, production: 600_000 } as const;
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const maxTimerMs = 2_147_483_647;

/** Accepts seconds or `'30s'`, gives milliseconds. */
const duration = z
  .union([z.number(), z.string()], { error: 'a number of seconds or a text like "30s", "2m" or "500ms"' })
  .transform((value, context) => {
    const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(String(value)) ?? [];
    const ms =
      amount === undefined ? Number.NaN : Math.round(Number(amount) * units[(unit ?? 's') as keyof typeof units]);
    if (ms >= 0 && ms <= maxTimerMs) return ms;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'a number of seconds or a text like "30s", "2m" or "500ms", at most 24 days',
    });
    return z.NEVER;
  });

const refresh = z.union([z.literal(false), z.enum(['development', 'staging', 'production']), duration], {
  error: '"development", "staging", "production", false, or a duration like "30s"',
});

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const connection = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(text).default([]),
    env: z.record(z.string(), text).default({}),
    cwd: z.string().optional(),
    envFile: z.string().optional(),
    instances: instancesSchema.optional(),
  }),
  z.strictObject({
    type: z.enum(['http', 'sse']),
    url: z.string().min(1),
    headers: z.record(z.string(), text).default({}),
    replicas: replicasSchema.optional(),
    oauth: oauthSchema.optional(),
  }),
]);

const server = z.strictObject({
  name: z.string().min(1).max(100),
  description: z.string().optional(),
  enabled: z.boolean().default(true),
  connection,
  lifecycle: z
    .strictObject({
      idleTimeoutMs: z.number().int().min(0).max(maxTimerMs).optional(),
      keepAlive: z.boolean().optional(),
      startTimeoutMs: z.number().int().min(1).max(maxTimerMs).optional(),
      timeoutMs: z.number().int().min(1).max(maxTimerMs).optional(),
      spread: spreadSchema.optional(),
    })
    .optional(),
});

const rule = z.strictObject({
  server: z.string().min(1).optional(),
  pattern: z.preprocess(listOf, z.array(z.string().min(1))).default([]),
  enabled: z.boolean().optional(),
  confirm: confirmSchema.optional(),
  tags: z.preprocess(listOf, z.array(z.string())).optional(),
});

const texts = z.preprocess(listOf, z.array(z.string())).default([]);
const profile = profileSchema.omit({ name: true }).extend({ servers: texts, tags: texts });

/** Every key that a config document may have. Unknown ones are reported by the caller. */
export const documentSchema = z.strictObject({
  $schema: z.string().optional(),
  enabled: z.boolean().default(true),
  cache: z.strictObject({ enabled: z.boolean().default(true), ttl: z.number().min(0).default(3600) }).prefault({}),
  sources: z.array(z.strictObject({ type: z.string().min(1), path: z.string().default('') })).default([]),
  servers: z.array(server).default([]),
  toolRules: z.array(rule).default([]),
  /** `detail: false`: faces and the command line are not told of processes, addresses and timings (row E8). */
  status: z.strictObject({ detail: z.boolean().default(true) }).prefault({}),
  profiles: z.record(profileSchema.shape.name, profile).default({}),
  plugins: z.array(z.unknown()).default([]),
  refreshInterval: refresh.optional(),
  approvals: z
    .strictObject({
      mode: z.enum(['ask', 'never']).default('ask'),
      timeout: duration.prefault('5m'),
      patience: duration.prefault('45s'),
    })
    .prefault({}),
  elicitation: z
    .strictObject({
      routing: z.enum(['here', 'client', 'both']).default('here'),
      timeout: duration.prefault('5m'),
      fallback: z.enum(['timeout', 'default', 'error']).default('timeout'),
    })
    .prefault({}),
  http: z
    .strictObject({ enabled: z.boolean().default(true), port: z.number().int().min(0).max(65_535).default(0) })
    .prefault({}),
  history: z.strictObject({ months: historyMonthsSchema.default(0) }).prefault({}),
  search: z
    .strictObject({ model: z.string().default(''), weight: z.number().min(0).max(1).default(standardTuning.meaning) })
    .prefault({}),
  results: z
    .strictObject({
      partLength: z.union([z.literal(0), z.number().int().min(1_000)]).default(0),
      structured: z.boolean().default(false),
      except: z.array(z.string()).default(['claude-code']),
    })
    .prefault({}),
  lifecycle: z
    .strictObject({
      idleTimeout: duration.prefault('5m'),
      callTimeout: duration.optional(),
      discoveryTimeout: duration.optional(),
      concurrentStarts: z.number().int().min(1).max(64).default(4),
    })
    .prefault({}),
});
export type ConfigDocument = z.output<typeof documentSchema>;

/** Turns a checked document into a Config. Paths are resolved by the caller beforehand. */
export function toConfig(document: ConfigDocument, env: Env): Config {
  const { approvals, elicitation, lifecycle } = document;
  return {
    enabled: document.enabled,
    cache: document.cache,
    sources: document.sources,
    servers: document.servers,
    toolRules: document.toolRules,
    profiles: Object.entries(document.profiles).map(([name, entry]) => ({ ...entry, name })),
    plugins: document.plugins,
    refreshIntervalMs: refreshIntervalMs(document.refreshInterval, env),
    approvals: { mode: approvals.mode, timeoutMs: approvals.timeout, patienceMs: approvals.patience },
    elicitation: {
      routing: elicitation.routing,
      timeoutMs: elicitation.timeout,
      fallback: elicitation.fallback,
    },
    http: document.http,
    history: document.history,
    statusDetail: document.status.detail,
    search: document.search,
    results: document.results,
    idleTimeoutMs: lifecycle.idleTimeout,
    callTimeoutMs: timeoutMs(lifecycle.callTimeout, env),
    discoveryTimeoutMs: timeoutMs(lifecycle.discoveryTimeout, env),
    concurrentStarts: lifecycle.concurrentStarts,
  };
}

/** The built-in configuration: nothing configured, everything else at its default. */
export function defaultConfig(env: Env): Config {
  return toConfig(documentSchema.parse({}), env);
}

function refreshIntervalMs(written: ConfigDocument['refreshInterval'], env: Env): number {
  if (written === false) return 0;
  if (typeof written === 'number') return written;
  const preset = written ?? env.GATEHOUSE_ENV ?? env.NODE_ENV ?? '';
  return Object.hasOwn(refreshPresets, preset)
    ? refreshPresets[preset as keyof typeof refreshPresets]
    : refreshPresets.production;
}

function timeoutMs(written: number | undefined, env: Env): number {
  return Math.max(5000, written ?? (Number(env.MCP_TOOL_TIMEOUT) || 60_000));
}

function listOf(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value;
}
