/** A setup file: servers, rules and profiles for another machine, without secrets or local paths. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { profileSchema } from './profile.ts';
import { ownRuleSchema } from './rule.ts';
import { serverConfigSchema } from './server.ts';

/** A list of limited length, whose items are not read unless it is short enough. */
const fewOf = <T extends z.ZodType>(item: T) => z.array(z.unknown()).max(limits.file.servers).pipe(z.array(item));

export const setupSchema = z.strictObject({
  /** Identifies the file format. */
  toolkeep: z.literal('setup'),
  version: z.literal(1),
  /** Without what only the machine knows on which they were configured. */
  servers: fewOf(serverConfigSchema.omit({ origins: true, previous: true })),
  rules: fewOf(ownRuleSchema),
  profiles: fewOf(profileSchema),
});
export type Setup = z.infer<typeof setupSchema>;

/** The changes that importing a setup file would make or has made. */
export const setupReportSchema = z.object({
  /** `same`: already present. `other`: a different server has this name and is replaced only on request. */
  servers: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['new', 'same', 'other']),
      /** The server's command line or URL, the names of its environment variables and headers, and its confinement. */
      target: z.string(),
    }),
  ),
  /** The rules that are not yet present. A rule that `loosens` is imported only if the user accepts its id. */
  rules: z.array(z.object({ id: z.string(), text: z.string(), loosens: z.boolean() })),
  profiles: z.array(z.object({ name: z.string(), state: z.enum(['new', 'same', 'other']) })),
  /** The values that the user has to enter on this machine, by server. */
  missing: z.array(z.object({ server: z.string(), secrets: z.array(z.string()) })),
});
export type SetupReport = z.infer<typeof setupReportSchema>;
