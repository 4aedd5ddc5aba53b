/** The result of starting a server's new version separately: how its tools differ from those of the installed version. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';
import { safetyLevelSchema } from './tool.ts';

export const toolChangeSchema = z.object({
  name: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** From the new version; for a removed tool, from the installed version. */
  description: z.string(),
  /** `safetyBefore` is absent for an added tool, `safetyAfter` for a removed one. */
  safetyBefore: safetyLevelSchema.optional(),
  safetyAfter: safetyLevelSchema.optional(),
  addedParameters: z.array(z.string()),
  removedParameters: z.array(z.string()),
  /** For a changed tool: the parts of the definition that differ. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** Signs of tool poisoning in the new version. */
  findings: z.array(z.string()),
});
export type ToolChange = z.infer<typeof toolChangeSchema>;

export const rehearsalSchema = z.object({
  /** The version that the new server itself reports. */
  version: z.string().optional(),
  /** Added tools first, then changed and removed ones; in each group, more dangerous ones first. */
  tools: z.array(toolChangeSchema),
  /** `same`: the number of unchanged tools. `more`: the number of differences beyond the limit of `tools`. */
  same: z.number(),
  more: z.number(),
  /** Why the new version listed nothing: it may need a real secret to start. */
  failure: failureSchema.optional(),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;
