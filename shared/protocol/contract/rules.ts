/** Commands for rules and overrides. */
import * as z from 'zod';
import { accessLevelSchema, accessTableSchema } from '../../model/access.ts';
import { overrideSchema, ownRuleSchema, ruleViewSchema } from '../../model/rule.ts';
import { command, nothing } from './command.ts';

export const rulesCommands = {
  'rules.list': command(nothing, z.array(ruleViewSchema)),
  /** Replaces the user's own rules, in order. */
  'rules.save': command(z.object({ rules: z.array(ownRuleSchema) }), nothing),
  /** The changes that `rules.save` would make, without saving. */
  'rules.preview': command(
    z.object({ rules: z.array(ownRuleSchema) }),
    z.object({
      rules: z.array(ruleViewSchema),
      /** Tools whose state would change, most important first; `total` counts them all. */
      changes: z.array(z.object({ server: z.string(), tool: z.string(), before: z.string(), after: z.string() })),
      total: z.number(),
    }),
  ),
  /** The access of each client with an entry or a token to each server. */
  'access.show': command(nothing, accessTableSchema),
  /** Replaces the rule for exactly this client and server (or every server). Resolves with the level before. */
  'access.set': command(
    z.object({ client: z.string(), server: z.string().optional(), level: accessLevelSchema.exclude(['custom']) }),
    z.object({ before: accessLevelSchema }),
  ),
  /** The overrides for single tools that the user made with `tools.setPolicy`. */
  'rules.overrides': command(nothing, z.array(overrideSchema)),
} as const;
