/** The schema of a config document, its defaults, and the conversion to the values that Core uses. */
import * as z from 'zod';
import { maxTimerMs } from '../../../shared/max-timer.ts';
import { profileSchema } from '../../../shared/model/profile.ts';
import { configuredDestinationSchema } from '../../../shared/model/question.ts';
import { type Rule, ruleSchema } from '../../../shared/model/rule.ts';
import { sandboxSchema } from '../../../shared/model/sandbox.ts';
import {
  connectionWith,
  declaredToolSchema,
  lifecycleSchema,
  type ServerConfig,
  serverNameSchema,
  slugSchema,
} from '../../../shared/model/server.ts';
import { historyMonthsSchema, resultDaysSchema } from '../../../shared/model/setting.ts';
import { destinationsSchema } from '../../../shared/model/tool.ts';
import { parsePattern } from '../rules/pattern.ts';

/** The additions of a trusted folder. Its servers never replace the user's, and `toolRules` can only restrict. */
export interface FolderLayer {
  path: string;
  file: string;
  toolRules: Rule[];
  /** Its rules among those of the whole configuration, which the user accepted although they loosen. */
  acceptedRules: Rule[];
  servers: ServerConfig[];
  sources: { type: string; path: string }[];
  /** The names of its profiles, and the keys of its settings that apply. */
  profiles: string[];
  written: string[];
}

type Env = Readonly<Record<string, string | undefined>>;

const refreshPresets = { development: 30_000, staging: 120_000, production: 600_000 } as const;
const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Converts seconds or `'30s'` to milliseconds. */
const duration = z
  .union([z.number(), z.string()], { error: 'a number of seconds or a string like "30s", "2m" or "500ms"' })
  .transform((value, context) => {
    const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*$/.exec(String(value)) ?? [];
    const ms =
      amount === undefined ? Number.NaN : Math.round(Number(amount) * units[(unit ?? 's') as keyof typeof units]);
    if (ms >= 0 && ms <= maxTimerMs) return ms;
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'a number of seconds or a string like "30s", "2m" or "500ms", at most 24 days',
    });
    return z.NEVER;
  });

const refresh = z.union([z.literal(false), z.enum(['development', 'staging', 'production']), duration], {
  error: '"development", "staging", "production", false, or a duration like "30s"',
});

const toolPattern = z.string().superRefine((pattern, context) => {
  try {
    parsePattern(pattern);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const server = z.strictObject({
  name: serverNameSchema,
  description: z.string().optional(),
  slug: slugSchema.optional(),
  enabled: z.boolean().default(true),
  connection: connectionWith(text),
  lifecycle: lifecycleSchema.optional(),
  sandbox: sandboxSchema.optional(),
  tools: z.array(declaredToolSchema).optional(),
});

const rule = ruleSchema.omit({ isLast: true }).extend({
  server: z.string().min(1).optional(),
  pattern: z.preprocess(listOf, z.array(z.string().min(1))).default([]),
  tags: z.preprocess(listOf, z.array(z.string())).optional(),
});

/** Requires TLS, because without it, others on the network could change the installed package. */
const registryUrl = z.string().refine((value) => {
  const url = URL.parse(value);
  const isLocal = url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
}, 'an https URL, or an http URL on this computer');

/** Registries that a configuration can name instead of giving their address. The first is the default. */
const wellKnownRegistries = [
  { name: 'official', url: 'https://registry.modelcontextprotocol.io' },
  { name: 'docker', url: 'https://desktop.docker.com/mcp/catalog/v3/catalog.yaml' },
];

const texts = z.preprocess(listOf, z.array(z.string())).default([]);
const { safety, category } = profileSchema.shape;
const profile = profileSchema.omit({ name: true }).extend({
  servers: texts,
  tags: texts,
  safety: z.preprocess(listOf, safety),
  category: z.preprocess(listOf, category),
});

/** Every key that a config document may have. The caller reports unknown keys. */
export const documentSchema = z.strictObject({
  $schema: z.string().optional(),
  /** False hides every server from all clients. */
  enabled: z.boolean().default(true),
  /** `ttl` in seconds. */
  cache: z.strictObject({ enabled: z.boolean().default(true), ttl: z.number().min(0).default(3600) }).prefault({}),
  /** Client files to read servers from. An empty path means the client's default location. */
  sources: z.array(z.strictObject({ type: z.string().min(1), path: z.string().default('') })).default([]),
  servers: z.array(server).default([]),
  toolRules: z.array(rule).default([]),
  /** `detail: false` hides processes, addresses and timings from every UI. */
  status: z.strictObject({ detail: z.boolean().default(true) }).prefault({}),
  profiles: z.record(profileSchema.shape.name, profile).default({}),
  /** Plug-in objects (from TypeScript and JavaScript configs), module paths, or package names. */
  plugins: z.array(z.unknown()).default([]),
  refreshInterval: refresh.optional(),
  /**
   * `mode: never` refuses every call that needs approval. `timeout` is how long a question stays open. `clientTimeout` is
   * how long a client waits before Toolkeep asks it to repeat the call. It is less than the minute that most clients allow; a
   * client whose timeout is known gets more time for a slow tool. `newTools: hold` holds tools that a known server adds until
   * the user accepts them. `ask` says which calls need approval. `destinations: any` allows calls to new destinations without
   * a question; `known` lists destinations that every client may use.
   */
  approvals: z
    .strictObject({
      mode: z.enum(['ask', 'never']).default('ask'),
      timeout: duration.prefault('5m'),
      clientTimeout: duration.prefault('45s'),
      newTools: z.enum(['hold', 'allow']).default('hold'),
      ask: z.enum(['acts', 'dangerous', 'all']).default('acts'),
      destinations: destinationsSchema.default('known'),
      reads: z.enum(['leaks', 'off']).default('leaks'),
      known: z.array(configuredDestinationSchema).max(5_000).default([]),
    })
    .prefault({}),
  /**
   * Where questions from tools are answered, and the result when they time out. `enabled: false` declines all of them.
   * `timeouts` sets timeouts by tool pattern. The first match decides, and also applies to approvals of the tool.
   */
  elicitation: z
    .strictObject({
      enabled: z.boolean().default(true),
      timeouts: z.record(toolPattern, duration).default({}),
      routing: z.enum(['toolkeep', 'client', 'both']).default('toolkeep'),
      timeout: duration.prefault('5m'),
      fallback: z.enum(['timeout', 'default', 'error']).default('timeout'),
    })
    .prefault({}),
  /** Names of the clients that get `execute_tools`, and the maximum number of calls in one request. */
  batch: z
    .strictObject({ clients: z.array(z.string()).default([]), maxCalls: z.number().int().min(1).max(100).default(100) })
    .prefault({}),
  /** The loopback endpoint for clients that use streamable HTTP; port 0 picks a free port. */
  http: z
    .strictObject({
      enabled: z.boolean().default(true),
      port: z.number().int().min(0).max(65_535).default(0),
      page: z.boolean().default(false),
    })
    .prefault({}),
  /** Months of history to keep (0 keeps everything), and days to keep results (0 keeps them until Toolkeep quits). */
  history: z
    .strictObject({ months: historyMonthsSchema.default(0), resultDays: resultDaysSchema.default(0) })
    .prefault({}),
  /** Whether servers that the user adds or installs are confined where this computer can. */
  sandbox: z.strictObject({ newServers: z.enum(['confine', 'off']).default('confine') }).prefault({}),
  /** Whether to use the system's certificate authorities and the environment's proxy. */
  network: z
    .strictObject({ systemCertificates: z.boolean().default(false), proxy: z.boolean().default(false) })
    .prefault({}),
  /** Whether the desktop app looks for new versions and installs them. */
  updates: z.strictObject({ enabled: z.boolean().default(true) }).prefault({}),
  /** The registries from which servers can be installed. Core contacts them only when the user asks for it. */
  registries: z
    .array(
      z.preprocess(
        (value) => wellKnownRegistries.find(({ name }) => name === value) ?? value,
        z.strictObject({
          name: z.string().regex(/^[\w.-]{1,40}$/, 'only the characters A-Z, a-z, 0-9, ".", "_" and "-"'),
          url: registryUrl,
        }),
      ),
    )
    .default(wellKnownRegistries.slice(0, 1)),
  /**
   * Which results are split into parts. `maxCharacters` is what a client receives at once; 0 sends every result whole.
   * `structured` also splits long structured content, as text. `except` names clients that page long results themselves.
   */
  results: z
    .strictObject({
      maxCharacters: z.union([z.literal(0), z.number().int().min(1_000)]).default(0),
      structured: z.boolean().default(false),
      except: z.array(z.string()).default(['claude-code']),
    })
    .prefault({}),
  /**
   * `idleTimeout` stops a server without calls; 0 keeps servers running. `callTimeout` limits one tool call, and
   * `discoveryTimeout` one discovery, both to at least 5 s.
   */
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

export interface Config extends ReturnType<typeof toConfig> {
  /** The configuration of a trusted folder. */
  folder?: FolderLayer;
}
export type ResultPaging = Config['results'];

/** Converts a checked document to the values that Core uses, all durations in milliseconds. The caller has resolved its paths. */
export function toConfig(document: ConfigDocument, env: Env) {
  const { $schema: _, profiles, refreshInterval, approvals, elicitation, status, lifecycle, ...same } = document;
  const { timeout: approvalTimeout, clientTimeout, ...decisions } = approvals;
  const { timeout: questionTimeout, timeouts, ...answers } = elicitation;
  return {
    ...same,
    profiles: Object.entries(profiles).map(([name, entry]) => ({ ...entry, name })),
    refreshIntervalMs: refreshIntervalMs(refreshInterval, env),
    approvals: { ...decisions, timeoutMs: approvalTimeout, clientTimeoutMs: clientTimeout },
    elicitation: {
      ...answers,
      timeouts: Object.entries(timeouts).map(([pattern, timeoutMs]) => ({ pattern, timeoutMs })),
      timeoutMs: questionTimeout,
    },
    statusDetail: status.detail,
    idleTimeoutMs: lifecycle.idleTimeout,
    callTimeoutMs: toolTimeoutMs(env, lifecycle.callTimeout),
    discoveryTimeoutMs: toolTimeoutMs(env, lifecycle.discoveryTimeout),
    concurrentStarts: lifecycle.concurrentStarts,
  };
}

/** Returns the built-in configuration: no servers, everything at its default. */
export function defaultConfig(env: Env): Config {
  return toConfig(documentSchema.parse({}), env);
}

function refreshIntervalMs(written: ConfigDocument['refreshInterval'], env: Env): number {
  if (written === false) return 0;
  if (typeof written === 'number') return written;
  const preset = written ?? env.TOOLKEEP_ENV ?? env.NODE_ENV ?? '';
  return Object.hasOwn(refreshPresets, preset)
    ? refreshPresets[preset as keyof typeof refreshPresets]
    : refreshPresets.production;
}

/** Timeout of a tool call: as configured, otherwise `MCP_TOOL_TIMEOUT` in milliseconds or 60 s; at least 5 s. */
export function toolTimeoutMs(env: Env, written?: number): number {
  return Math.max(5000, written ?? (Number(env.MCP_TOOL_TIMEOUT) || 60_000));
}

function listOf(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value;
}
