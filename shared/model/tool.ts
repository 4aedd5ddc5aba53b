/** Tools: as servers declare them, as the catalog holds them, as faces see them. */
import * as z from 'zod';
import { modeSchema } from './call.ts';

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
  /** Its own, where it says one. */
  version?: string;
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
  /** Its own, and that of its server, where they say one. */
  version: z.string().optional(),
  serverVersion: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
  confirm: confirmSchema,
  tags: z.array(z.string()),
  /** Index into the rule list of the rule that decided `enabled`; absent when none did. */
  decidedBy: z.number().optional(),
  /** The definition changed since the person accepted it; agents cannot run the tool until they accept the change. */
  held: z
    .object({
      /** The parts that differ, in the same order and layout, as they were accepted and as they are. */
      before: z.record(z.string(), z.unknown()),
      after: z.record(z.string(), z.unknown()),
      /** Each difference in one line. */
      changes: z.array(z.string()),
      /** The versions that changed with it, in a sentence. */
      updated: z.string().optional(),
    })
    .optional(),
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

/** How one connected client gets along with a tool (requirement row B13). */
export const clientFitSchema = z.object({
  client: z.string(),
  mode: modeSchema,
  /** `limited`: it can be called, and something about it will not work as meant. `none`: no call can succeed. */
  level: z.enum(['full', 'limited', 'none']),
  /** What is in the way, in plain words, with what to do. */
  notes: z.array(z.string()),
});
export type ClientFit = z.infer<typeof clientFitSchema>;

/** Whether a person is asked before a call of the tool runs: by a rule's word, else by what the tool is judged to be. */
export function asksFirst({ confirm, annotations }: Pick<ToolView, 'confirm' | 'annotations'>): boolean {
  return confirm === 'auto' ? annotations.requiresConfirmation : confirm === 'always';
}
