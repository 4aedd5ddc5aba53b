/** The words of the product: what servers, tools, rules, questions and calls look like on both sides of the Wire. */
import * as z from 'zod';
import { type FailureCode, failureCodes } from './failure.ts';

export const failureSchema = z.object({
  code: z.enum(Object.keys(failureCodes) as [FailureCode, ...FailureCode[]]),
  message: z.string(),
  hint: z.string().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  file: z.string().optional(),
  line: z.number().optional(),
  path: z.string().optional(),
});

// ── Servers ────────────────────────────────────────────────────────────────

/** How to reach a server. Placeholders (`${VAR}`, `~`) stand as written; they are resolved at connect time. */
export const connectionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().optional(),
    envFile: z.string().optional(),
  }),
  z.strictObject({
    type: z.enum(['http', 'sse']),
    url: z.string().min(1),
    headers: z.record(z.string(), z.string()).default({}),
  }),
]);
export type Connection = z.infer<typeof connectionSchema>;

export const lifecycleSchema = z.strictObject({
  /** Milliseconds without a call after which the server is stopped; 0 keeps it running. */
  idleTimeoutMs: z.number().int().min(0).optional(),
  /** Start with the Core instead of on first use. */
  keepAlive: z.boolean().optional(),
  /** Milliseconds a single call may take. */
  timeoutMs: z.number().int().min(1).optional(),
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

export const serverViewSchema = z.object({
  /** The config name: unique, the first half of every tool key. */
  id: z.string(),
  slug: z.string(),
  description: z.string(),
  transport: z.enum(['stdio', 'http', 'sse']),
  /** The command line or URL with secrets masked. */
  target: z.string(),
  status: serverStatusSchema,
  phase: phaseSchema.optional(),
  failure: failureSchema.optional(),
  /** Tools, invalid ones excluded; `enabledCount` is what agents can see. */
  toolCount: z.number(),
  enabledCount: z.number(),
  promptCount: z.number(),
  resourceCount: z.number(),
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
});
export type ServerView = z.infer<typeof serverViewSchema>;

// ── Tools ──────────────────────────────────────────────────────────────────

export const categorySchema = z.enum([
  'version-control',
  'file-system',
  'api',
  'data',
  'authentication',
  'deployment',
  'general',
]);
export type Category = z.infer<typeof categorySchema>;

export const safetyLevelSchema = z.enum(['safe', 'moderate', 'dangerous']);
export type SafetyLevel = z.infer<typeof safetyLevelSchema>;

/** What the server declared and what name, description and schema imply, together (requirement row B6). */
export const annotationsSchema = z.object({
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
  requiresConfirmation: z.boolean(),
  safetyLevel: safetyLevelSchema,
  /** Why the level is what it is, in words a person can read. */
  reasons: z.array(z.string()),
});
export type ToolAnnotations = z.infer<typeof annotationsSchema>;

export const confirmSchema = z.enum(['always', 'never', 'auto']);
export type Confirm = z.infer<typeof confirmSchema>;

export type JsonSchema = Record<string, unknown>;

/** A tool exactly as its server declares it, unknown fields included. */
export interface ToolDefinition {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema | undefined;
  annotations?: Record<string, unknown> | undefined;
  [unknownField: string]: unknown;
}

/** A tool in the catalog. */
export interface Tool {
  /** `serverId::toolName`, never changed. */
  key: string;
  server: string;
  name: string;
  /** `{server_slug}-{tool}`, at most 60 of `[A-Za-z0-9_-]`, unique. */
  shownName: string;
  definition: ToolDefinition;
  annotations: ToolAnnotations;
  category: Category;
  complexity: 'simple' | 'moderate' | 'complex';
  requiresAuth: boolean;
  isDeprecated: boolean;
  /** Hash of description, schema and annotations: what a person relied on. */
  fingerprint: string;
  /** Signs of tool poisoning with the words that triggered them. */
  findings: string[];
  /** Extra facts added by plug-ins. */
  metadata: Record<string, unknown>;
}

export const toolViewSchema = z.object({
  key: z.string(),
  server: z.string(),
  name: z.string(),
  shownName: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: annotationsSchema,
  category: categorySchema,
  complexity: z.enum(['simple', 'moderate', 'complex']),
  requiresAuth: z.boolean(),
  isDeprecated: z.boolean(),
  findings: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  confirm: confirmSchema,
  tags: z.array(z.string()),
  /** Index into the rule list of the rule that decided `enabled`; absent when none did. */
  decidedBy: z.number().optional(),
  /** The definition changed since the person accepted it; `before` is what they accepted. */
  held: z.object({ before: z.record(z.string(), z.unknown()) }).optional(),
});
export type ToolView = z.infer<typeof toolViewSchema>;

/** The light form for lists of thousands. */
export const toolSummarySchema = toolViewSchema
  .pick({
    key: true,
    server: true,
    name: true,
    title: true,
    category: true,
    tags: true,
    enabled: true,
    isDeprecated: true,
  })
  .extend({
    /** First sentence of the description. */
    summary: z.string(),
    safetyLevel: safetyLevelSchema,
    /** A change waits for acceptance. */
    held: z.boolean(),
    /** Number of poisoning findings. */
    findings: z.number(),
  });
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export const searchHitSchema = z.object({
  server: z.string(),
  tool: z.string(),
  summary: z.string(),
  /** 0 to 1: exact name > partial > tag (requirement row A14). */
  relevance: z.number(),
  tags: z.array(z.string()),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

// ── Rules ──────────────────────────────────────────────────────────────────

/** One entry of `toolRules`. See `electron/core/rules/rules.ts` for how they decide. */
export const ruleSchema = z.strictObject({
  server: z.string().optional(),
  pattern: z.array(z.string().min(1)).default([]),
  enabled: z.boolean().optional(),
  confirm: confirmSchema.optional(),
  tags: z.array(z.string()).optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

/** A rule in its place: the person's own rules come before those of the config file. */
export const ruleViewSchema = ruleSchema.extend({
  /** `own` rules can be edited in the window; `config` rules only in their file. */
  origin: z.enum(['own', 'config']),
  /** Own rules can be switched off without being deleted. */
  active: z.boolean(),
  /** Number of tools the rule matches now. */
  matches: z.number(),
  /** Index of the earlier rule that keeps this one from ever deciding anything. */
  shadowedBy: z.number().optional(),
  problem: z.string().optional(),
});
export type RuleView = z.infer<typeof ruleViewSchema>;

export const ownRuleSchema = ruleSchema.extend({ active: z.boolean().default(true) });
export type OwnRule = z.infer<typeof ownRuleSchema>;

// ── Questions: elicitation and approvals ───────────────────────────────────

export const fieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  kind: z.enum(['text', 'multiline', 'number', 'integer', 'boolean', 'select', 'multiselect', 'file', 'secret']),
  required: z.boolean(),
  default: z.unknown().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
export type Field = z.infer<typeof fieldSchema>;

export const grantScopeSchema = z.enum(['once', 'session', 'minutes', 'always']);
export type GrantScope = z.infer<typeof grantScopeSchema>;

/** What a person is asked. Text from a server or an agent stands in `message` and `fields` only, never in our own words. */
export const questionSchema = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'confirmation', 'text', 'select', 'multiselect', 'form', 'file', 'secret', 'url']),
  message: z.string(),
  fields: z.array(fieldSchema),
  from: z.object({
    client: z.string().optional(),
    server: z.string().optional(),
    tool: z.string().optional(),
    callId: z.string().optional(),
  }),
  /** For `approval`: the call in full. */
  approval: z
    .object({
      arguments: z.record(z.string(), z.unknown()),
      reasons: z.array(z.string()),
      scopes: z.array(grantScopeSchema),
    })
    .optional(),
  /** For `url`. */
  url: z.string().optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Question = z.infer<typeof questionSchema>;

/** `value`: boolean, string, string[] or a record, by the question's kind. */
export const answerSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), value: z.unknown().optional(), scope: grantScopeSchema.optional() }),
  z.object({ action: z.literal('decline'), switchOff: z.boolean().optional() }),
  z.object({ action: z.literal('cancel') }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** An approval that outlives its call. */
export const grantViewSchema = z.object({
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  scope: grantScopeSchema,
  /** Epoch milliseconds. */
  grantedAt: z.number(),
  expiresAt: z.number().optional(),
});
export type GrantView = z.infer<typeof grantViewSchema>;

// ── Import ─────────────────────────────────────────────────────────────────

export const importEntrySchema = z.object({
  /** Stable within a plan; what `import.apply` takes. */
  id: z.string(),
  server: serverConfigSchema,
  origins: z.array(originSchema),
  /** `new`: can be imported. `known`: Gatehouse has it already. `self`: Gatehouse itself. `unusable`: see problems. */
  state: z.enum(['new', 'known', 'self', 'unusable']),
  /** Taken by "import all". */
  picked: z.boolean(),
  /** Plain words: plain-text secrets, placeholders, a missing command, other gateways. */
  notes: z.array(z.string()),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;

export const importFileSchema = z.object({
  /** Id of the client, as in `gatehouse import --source`. */
  source: z.string(),
  /** The client's name for people. */
  app: z.string(),
  file: z.string(),
  found: z.boolean(),
  serverCount: z.number(),
  problems: z.array(failureSchema),
});
export type ImportFile = z.infer<typeof importFileSchema>;

export const importPlanSchema = z.object({ files: z.array(importFileSchema), entries: z.array(importEntrySchema) });
export type ImportPlan = z.infer<typeof importPlanSchema>;

// ── Calls, clients ─────────────────────────────────────────────────────────

export const callRecordSchema = z.object({
  id: z.string(),
  at: z.number(),
  kind: z.enum(['call', 'question', 'grant']),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Arguments with secrets masked, cut to a bounded length. */
  arguments: z.string(),
  outcome: z.string(),
  durationMs: z.number(),
  code: z.string().optional(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

export const modeSchema = z.enum(['lazy', 'full', 'hybrid']);
export type Mode = z.infer<typeof modeSchema>;

export const clientViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  transport: z.enum(['bridge', 'http']),
  era: z.enum(['legacy', 'modern']).optional(),
  mode: modeSchema,
  connectedAt: z.number(),
});
export type ClientView = z.infer<typeof clientViewSchema>;
