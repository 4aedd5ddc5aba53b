/** The result of starting the new version of a server apart: how its tools differ from those of the installed version. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';
import { safetyLevelSchema } from './tool.ts';

export const toolChangeSchema = z.object({
  name: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** The new version's; that of the installed version for a removed tool. */
  description: z.string(),
  /** Absent before for an added tool, and after for a removed one. */
  safetyBefore: safetyLevelSchema.optional(),
  safetyAfter: safetyLevelSchema.optional(),
  addedParameters: z.array(z.string()),
  removedParameters: z.array(z.string()),
  /** The parts of the definition that differ, of a changed tool. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  /** Signs of tool poisoning in the new version. */
  findings: z.array(z.string()),
});
export type ToolChange = z.infer<typeof toolChangeSchema>;

export const rehearsalSchema = z.object({
  /** As the new version reports it. */
  version: z.string().optional(),
  /** Added tools first, then changed and removed ones; of each, more dangerous ones first. */
  tools: z.array(toolChangeSchema),
  /** The number of tools without a difference, and of differences beyond the limit of this list. */
  same: z.number(),
  more: z.number(),
  /** Why the new version listed nothing: it may need a real secret to start. */
  failure: failureSchema.optional(),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;
