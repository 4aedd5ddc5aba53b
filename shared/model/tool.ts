/** Tools as servers declare them, as the catalog keeps them, and as UIs see them. */
import * as z from 'zod';
import { callStatisticsSchema, modeSchema } from './call.ts';

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

/** The effects that calls can have, as far as name, description, schema and hints tell. */
export const effectSchema = z.enum([
  'reads',
  'changes',
  'sends',
  'spends',
  'destroys',
  'overwrites',
  'runs code',
  'changes access',
  'reveals secrets',
  'goes live',
  'moves things in the world',
  'misleads',
]);
export type Effect = z.infer<typeof effectSchema>;

/** The server's annotations, combined with what the name, description and schema imply. */
export const annotationsSchema = z.object({
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
  requiresConfirmation: z.boolean(),
  safetyLevel: safetyLevelSchema,
  /** Phrases for the user that explain why the tool has this level. */
  reasons: z.array(z.string()),
  /** For a dangerous tool: everything that makes it dangerous. A plug-in may leave it out. */
  effects: z.array(effectSchema).optional(),
  /** True if the tool can click and type in any window. */
  controlsScreen: z.boolean().optional(),
  /** For a tool that is dangerous because of one parameter's choices: the levels of calls with the choices that read. */
  choice: z.object({ parameter: z.string(), levels: z.record(z.string(), safetyLevelSchema) }).optional(),
});
export type ToolAnnotations = z.infer<typeof annotationsSchema>;

/** The annotations by which lists of tools can be filtered. */
export const toolHintSchema = z.enum(['readOnly', 'destructive', 'idempotent', 'openWorld', 'requiresConfirmation']);
export type ToolHint = z.infer<typeof toolHintSchema>;

export function hintsOf(annotations: ToolAnnotations): ToolHint[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, requiresConfirmation } = annotations;
  const declared: [ToolHint, boolean][] = [
    ['readOnly', readOnlyHint],
    ['destructive', destructiveHint],
    ['idempotent', idempotentHint],
    ['openWorld', openWorldHint],
    ['requiresConfirmation', requiresConfirmation],
  ];
  return declared.flatMap(([hint, isTrue]) => (isTrue ? [hint] : []));
}

/** Whether a call needs approval: `auto` leaves it to the safety level. */
export const confirmSchema = z.enum(['always', 'never', 'auto']);
export type Confirm = z.infer<typeof confirmSchema>;

/** Whether a call that acts needs approval for a destination that the user has not yet allowed. */
export const destinationsSchema = z.enum(['known', 'any']);
export type DestinationsPolicy = z.infer<typeof destinationsSchema>;

/** Whether calls need approval: `once` per client and server, or `each` time. */
export const approvalNeedSchema = z.enum(['none', 'once', 'each']);
export type ApprovalNeed = z.infer<typeof approvalNeedSchema>;

export type JsonSchema = Record<string, unknown>;

/** A tool as its server declares it, unknown fields included. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: Record<string, unknown>;
  [unknownField: string]: unknown;
}

/** The parts of a definition that a list shows. */
export interface ToolHead {
  title: string;
  /** First sentence of the description. */
  summary: string;
}

/** A tool in the catalog. */
export interface Tool {
  /** `serverId::toolName`; never changes. */
  key: string;
  server: string;
  name: string;
  /** `{server_slug}-{tool}`, at most 48 of `[A-Za-z0-9_-]`, unique. */
  shownName: string;
  definition: ToolDefinition;
  /** Stored by the catalog, so that a list does not need to parse the definition. */
  head?: ToolHead;
  /** The tool's own version, if it declares one. */
  version?: string;
  annotations: ToolAnnotations;
  category: Category;
  complexity: 'simple' | 'moderate' | 'complex';
  requiresAuth: boolean;
  isDeprecated: boolean;
  /** Hash of the name, description, schemas and annotations: the definition that the user accepted. */
  fingerprint: string;
  /** Signs of tool poisoning, each with the words that triggered it. */
  findings: string[];
  /** Data that plug-ins added. */
  metadata: Record<string, unknown>;
  /** The estimated tokens of its definition in a model's context, stored by the catalog. */
  tokens?: number;
}

/** Why a tool is held, and what changed if the user accepted an earlier definition. */
const heldSchema = z.object({
  /**
   * `changed`: its definition changed. `suspicious`: it has findings. `new`: its server added it after the user
   * accepted the server.
   */
  reason: z.enum(['changed', 'suspicious', 'new']),
  /** The parts that differ, in the same order and layout: as accepted, and as they are now. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** Each difference or finding in one line. */
  changes: z.array(z.string()),
  /** Identifies the definition that is shown, for `tools.accept`. */
  fingerprint: z.string(),
  /** A sentence about the version changes that came with it. */
  updated: z.string().optional(),
});

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
  /** The tool's own version and its server's, if declared. */
  version: z.string().optional(),
  serverVersion: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  confirm: confirmSchema,
  /** Whether its calls need approval, apart from new destinations: never, once for each client and server, or each time. */
  asks: approvalNeedSchema,
  destinations: destinationsSchema.optional(),
  tags: z.array(z.string()),
  /** The reason for `enabled`; absent if the tool is enabled by default. */
  enabledBy: z.enum(['override', 'rule', 'allow-list']).optional(),
  /** Index in `rules.list` of the rule that decided `enabled`, or of the first rule that makes the allow-list. */
  decidedBy: z.number().optional(),
  /** The user's settings for this tool. */
  override: z
    .object({
      enabled: z.boolean().optional(),
      confirm: confirmSchema.optional(),
      destinations: destinationsSchema.optional(),
    })
    .optional(),
  /** Agents cannot run the tool until the user accepts it as it is now. */
  held: heldSchema.optional(),
});
export type ToolView = z.infer<typeof toolViewSchema>;

const toolExplanationSchema = z.object({
  reasons: annotationsSchema.shape.reasons,
  findings: z.array(z.string()),
  heldFor: heldSchema.shape.reason.optional(),
});

/** The short form for lists of thousands of tools. */
export const toolSummarySchema = toolViewSchema
  .pick({
    key: true,
    server: true,
    name: true,
    title: true,
    category: true,
    tags: true,
    enabled: true,
    asks: true,
    isDeprecated: true,
  })
  .extend({
    /** First sentence of the description. */
    summary: z.string(),
    safetyLevel: safetyLevelSchema,
    /** Whether the tool is held until the user accepts it. */
    held: z.boolean(),
    /** True if the user decided this for the tool itself. */
    asksByOverride: z.boolean().optional(),
    /** Number of poisoning findings. */
    findings: z.number(),
    effects: z.array(effectSchema),
    /** The tokens of its definition in a model's context, estimated. */
    tokens: z.number(),
    /** The annotations that are true. */
    hints: z.array(toolHintSchema),
    /** Only if the list is to explain itself: why the tool has its level, each finding, and why it is held. */
    explained: toolExplanationSchema.optional(),
    /** The calls so far, in a list that is sorted by one of these figures. */
    calls: callStatisticsSchema.optional(),
  });
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export const searchHitSchema = z.object({
  server: z.string(),
  tool: z.string(),
  summary: z.string(),
  /** From 0 to 1. An exact name match scores higher than a partial match, which scores higher than a tag match. */
  relevance: z.number(),
  tags: z.array(z.string()),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/** How well one connected client can use a tool. */
export const clientFitSchema = z.object({
  client: z.string(),
  mode: modeSchema,
  /** `limited`: calls work, but some features do not. `none`: no call can succeed. */
  level: z.enum(['full', 'limited', 'none']),
  /** A note about each feature that does not work, with a remedy. */
  notes: z.array(z.string()),
});
export type ClientFit = z.infer<typeof clientFitSchema>;

/** Which tools need approval: moderate and dangerous ones (`acts`), only dangerous ones, or all. */
export type ApprovalsAsk = 'acts' | 'dangerous' | 'all';

/**
 * Follows `confirm` if a rule or override set it to `always` or `never`; otherwise follows the safety level of the tool,
 * or of the call with these arguments.
 */
export function needsApproval(
  tool: Pick<ToolView, 'confirm' | 'annotations'>,
  ask: ApprovalsAsk,
  args: Record<string, unknown> = {},
): ApprovalNeed {
  const { confirm, annotations } = tool;
  if (confirm === 'always') return 'each';
  if (confirm === 'never') return 'none';
  const { safetyLevel, requiresConfirmation, choice } = annotations;
  const chosen = choice && Object.hasOwn(args, choice.parameter) ? args[choice.parameter] : undefined;
  const isLeveled = choice && typeof chosen === 'string' && Object.hasOwn(choice.levels, chosen);
  const level = isLeveled ? choice.levels[chosen] : requiresConfirmation ? 'dangerous' : safetyLevel;
  if (level === 'dangerous') return 'each';
  if (ask === 'all') return 'once';
  return ask === 'acts' && level === 'moderate' ? 'once' : 'none';
}

/** Whether a call with these arguments is dangerous, whatever the user decided on the tool. */
export function isDangerous(annotations: ToolAnnotations, args: Record<string, unknown>): boolean {
  return needsApproval({ confirm: 'auto', annotations }, 'dangerous', args) === 'each';
}
