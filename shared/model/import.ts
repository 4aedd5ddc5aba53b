/** What an import found, and what it would do. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';
import { originSchema, serverConfigSchema } from './server.ts';

export const importEntrySchema = z.object({
  /** Stable within a plan; what `import.apply` takes. */
  id: z.string(),
  server: serverConfigSchema,
  origins: z.array(originSchema),
  /** `new`: can be imported. `known`: Gatehouse has it already. `self`: Gatehouse itself. `unusable`: see problems. */
  state: z.enum(['new', 'known', 'self', 'unusable']),
  /** Taken by "import all". */
  picked: z.boolean(),
  /** Turned up in an app since the last import, or since the last time it was waved off. */
  isOffer: z.boolean().optional(),
  /** Plain words: plain-text secrets, placeholders, a missing command, other gateways. */
  notes: z.array(z.string()),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;

export const importFileSchema = z.object({
  /** Id of the client, as in `gatehouse import --source`. */
  source: z.string(),
  /** The client's name for people. */
  app: z.string(),
  file: z.string(),
  found: z.boolean(),
  serverCount: z.number(),
  problems: z.array(failureSchema),
});
export type ImportFile = z.infer<typeof importFileSchema>;

export const importPlanSchema = z.object({ files: z.array(importFileSchema), entries: z.array(importEntrySchema) });
export type ImportPlan = z.infer<typeof importPlanSchema>;
