/** The whole setup as one file, to be handed on: without secrets, without anything of the machine that it comes from. */
import * as z from 'zod';
import { profileSchema } from './profile.ts';
import { ownRuleSchema } from './rule.ts';
import { serverConfigSchema } from './server.ts';

export const setupSchema = z.strictObject({
  /** Tells the file from any other JSON. */
  gatehouse: z.literal('setup'),
  version: z.literal(1),
  servers: z.array(serverConfigSchema),
  rules: z.array(ownRuleSchema),
  profiles: z.array(profileSchema),
});
export type Setup = z.infer<typeof setupSchema>;

/** What taking a setup over would change, or has changed. */
export const setupReportSchema = z.object({
  /** `same`: there already. `other`: another server has that name; only replaced when told to. */
  servers: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['new', 'same', 'other']),
      /** The command line or address that it brings. */
      target: z.string(),
    }),
  ),
  /** Number of rules that are not there yet. */
  rules: z.number(),
  profiles: z.array(z.object({ name: z.string(), state: z.enum(['new', 'same', 'other']) })),
  /** What has to be entered on this machine, by server. */
  missing: z.array(z.object({ server: z.string(), secrets: z.array(z.string()) })),
});
export type SetupReport = z.infer<typeof setupReportSchema>;
