/** Commands on rules. */
import * as z from 'zod';
import { ownRuleSchema, ruleViewSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const rulesCommands = {
  'rules.list': command(nothing, z.array(ruleViewSchema)),
  /** Replaces the person's own rules, in order. */
  'rules.save': command(z.object({ rules: z.array(ownRuleSchema) }), nothing),
  /** What `rules.save` would change, without saving. */
  'rules.preview': command(
    z.object({ rules: z.array(ownRuleSchema) }),
    z.object({
      rules: z.array(ruleViewSchema),
      /** Tools whose state would change, most important first; `total` counts them all. */
      changes: z.array(z.object({ server: z.string(), tool: z.string(), before: z.string(), after: z.string() })),
      total: z.number(),
    }),
  ),
} as const;
