/** Commands on profiles, and on the whole setup as one file. */
import * as z from 'zod';
import { profileSchema, profileViewSchema, setupReportSchema, setupSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const profilesCommands = {
  'profiles.list': command(nothing, z.array(profileViewSchema)),
  /** Adds or replaces a profile of the person's own; connected clients see the change at once. */
  'profiles.save': command(z.object({ profile: profileSchema }), nothing),
  'profiles.remove': command(z.object({ name: z.string() }), nothing),
  /** Servers, rules and profiles without secrets. */
  'setup.export': command(nothing, setupSchema),
  /** What it brings; with `dryRun: false` it is taken over. `replace`: also what has another content here. */
  'setup.import': command(
    z.object({ setup: z.unknown(), replace: z.boolean().default(false), dryRun: z.boolean().default(true) }),
    setupReportSchema,
  ),
} as const;
