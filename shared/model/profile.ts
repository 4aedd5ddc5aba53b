/** Profiles: named sets of servers and tools, chosen per client. */
import * as z from 'zod';
import { modeSchema } from './call.ts';

export const profileSchema = z.strictObject({
  /** As in `gatehouse connect --profile NAME`, so without anything that a shell or an address would mind. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, 'letters, digits, dots, dashes and underscores'),
  description: z.string().max(200).optional(),
  /** Only these servers; all of them when empty. */
  servers: z.array(z.string()).default([]),
  /** Only tools with one of these tags; all of them when empty. */
  tags: z.array(z.string()).default([]),
  /** How its clients see the tools, unless they ask for another mode themselves. */
  mode: modeSchema.optional(),
});
export type Profile = z.infer<typeof profileSchema>;

export const profileViewSchema = profileSchema.extend({
  /** `own` ones can be changed here, those of the config file only there. */
  origin: z.enum(['own', 'config']),
  /** Number of tools that its clients can run now. */
  tools: z.number(),
  /** Servers that it names and that do not exist. */
  unknown: z.array(z.string()),
});
export type ProfileView = z.infer<typeof profileViewSchema>;
