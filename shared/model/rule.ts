/** Rules as the user writes them and as UIs see them, and overrides for single tools. */
import * as z from 'zod';
import { categorySchema, confirmSchema, destinationsSchema, safetyLevelSchema } from './tool.ts';

/** One entry of `toolRules`. See `electron/core/rules/rules.ts` for how rules are applied. */
export const ruleSchema = z.strictObject({
  /**
   * The rule applies only to this client: the ID of a client with an entry, or the name of a token. It comes on top of the
   * rules for all clients, and cannot enable a tool.
   */
  client: z.string().min(1).optional(),
  server: z.string().optional(),
  pattern: z.array(z.string().min(1)).default([]),
  /** The rule applies only to tools of these safety levels. */
  safety: z.union([safetyLevelSchema, z.array(safetyLevelSchema).min(1)]).optional(),
  /** The rule applies only to tools of these categories. */
  category: z.union([categorySchema, z.array(categorySchema).min(1)]).optional(),
  enabled: z.boolean().optional(),
  confirm: confirmSchema.optional(),
  destinations: destinationsSchema.optional(),
  tags: z.array(z.string()).optional(),
  /** Set for imported rules that weaken protection: they come after the user's and the config file's rules. */
  isLast: z.boolean().optional(),
});
export type Rule = z.infer<typeof ruleSchema>;

/** A rule in its position: the user's own rules come before those of the config file. */
export const ruleViewSchema = ruleSchema.extend({
  /**
   * `own` rules can be edited in the window, `config` rules only in their file. After all others, those of a trusted
   * `folder` and of the `client` that a server was imported from can only restrict.
   */
  origin: z.enum(['own', 'config', 'folder', 'client']),
  /** Own rules can be disabled without being deleted. */
  active: z.boolean(),
  /** Number of tools the rule matches now. */
  matches: z.number(),
  /** Index of the rule that always matches before this one. */
  shadowedBy: z.number().optional(),
  /** Tools that this rule would disable if the rule at index `rule` did not enable them first. */
  enabledFirst: z.array(z.object({ server: z.string(), tool: z.string(), rule: z.number() })).optional(),
  problem: z.string().optional(),
});
export type RuleView = z.infer<typeof ruleViewSchema>;

export const ownRuleSchema = ruleSchema.extend({ active: z.boolean().default(true) });
export type OwnRule = z.infer<typeof ownRuleSchema>;

/** The user's setting for one tool. It takes precedence over every rule and never creates an allow-list. */
export const overrideSchema = z.strictObject({
  server: z.string(),
  tool: z.string(),
  enabled: z.boolean().optional(),
  confirm: confirmSchema.optional(),
  destinations: destinationsSchema.optional(),
});
export type Override = z.infer<typeof overrideSchema>;
