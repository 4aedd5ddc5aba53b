/** Profiles are named sets of servers and tools that limit what a client sees. */
import * as z from 'zod';
import { modeSchema } from './call.ts';
import { categorySchema, safetyLevelSchema } from './tool.ts';

export const profileSchema = z.strictObject({
  /** Used in `toolkeep connect --profile NAME` and in URLs, so it has no characters that need quoting. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, 'letters, digits, periods, hyphens and underscores'),
  description: z.string().max(200).optional(),
  /** The servers to include; empty for all. */
  servers: z.array(z.string()).default([]),
  /** Tags of the tools to include; empty for all. */
  tags: z.array(z.string()).default([]),
  /** Safety levels of the tools to include; all if missing. */
  safety: z.array(safetyLevelSchema).min(1).optional(),
  /** Categories of the tools to include; all if missing. */
  category: z.array(categorySchema).min(1).optional(),
  /** The mode for clients of this profile, unless a client asks for another. */
  mode: modeSchema.optional(),
  /** Whether its clients get `read_tool` in addition to `execute_tool`. */
  readTool: z.boolean().optional(),
});
export type Profile = z.infer<typeof profileSchema>;

export const profileViewSchema = profileSchema.extend({
  /** `own` profiles can be edited in Toolkeep; the others only in the config file of the user or of a trusted folder. */
  origin: z.enum(['own', 'config', 'folder']),
  /** The number of tools that clients of this profile can run now. */
  tools: z.number(),
  /** Servers that the profile names but that do not exist. */
  unknown: z.array(z.string()),
});
export type ProfileView = z.infer<typeof profileViewSchema>;
