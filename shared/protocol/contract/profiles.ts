/** Commands for profiles and for setup files. */
import * as z from 'zod';
import { profileSchema, profileViewSchema } from '../../model/profile.ts';
import { setupReportSchema, setupSchema } from '../../model/setup-file.ts';
import { command, nothing } from './command.ts';

export const profilesCommands = {
  'profiles.list': command(nothing, z.array(profileViewSchema)),
  /** Adds or replaces one of the user's profiles; connected clients see the change immediately. */
  'profiles.save': command(z.object({ profile: profileSchema }), nothing),
  'profiles.remove': command(z.object({ name: z.string() }), nothing),
  /** Exports servers, rules and profiles without secrets. */
  'setup.export': command(nothing, setupSchema),
  /** Previews an import, or performs it if `dryRun` is false. `replace` also replaces entries that differ here. */
  'setup.import': command(
    z.object({
      setup: z.unknown(),
      replace: z.boolean().default(false),
      dryRun: z.boolean().default(true),
      /** Ids of the protection-weakening rules that the user accepts. */
      accept: z.array(z.string()).default([]),
    }),
    setupReportSchema,
  ),
} as const;
