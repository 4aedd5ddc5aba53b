/** Rules: as written, and in their place. */
import * as z from 'zod';
import { confirmSchema } from './tool.ts';

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
