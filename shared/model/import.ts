/** The entries that an import found, and what it would do with each one. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';
import { originSchema, serverConfigSchema } from './server.ts';

export const importEntrySchema = z.object({
  /** Stable within a plan. `import.apply` takes these ids. */
  id: z.string(),
  server: serverConfigSchema,
  origins: z.array(originSchema),
  /** `new`: can be imported. `known`: Toolkeep already has it. `self`: Toolkeep itself. `unusable`: see `notes`. */
  state: z.enum(['new', 'known', 'self', 'unusable']),
  /** Whether "Import all" includes the entry. */
  picked: z.boolean(),
  /** The current folder, if only files in it list the server. Anyone may have written them, so the user selects each one. */
  folder: z.string().optional(),
  /** True if the entry appeared in a client since the last import and the user has not dismissed it. */
  isUnseen: z.boolean().optional(),
  /** The note in `notes` which says that the server's command is missing on this computer. It is imported disabled. */
  missing: z.string().optional(),
  /** Notes for the user about plain-text secrets, placeholders, a missing command or other gateways. */
  notes: z.array(z.string()),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;

export const importFileSchema = z.object({
  /** Id of the client, as in `toolkeep import --source`. */
  source: z.string(),
  /** The client's display name. */
  app: z.string(),
  file: z.string(),
  found: z.boolean(),
  serverCount: z.number(),
  problems: z.array(failureSchema),
});
export type ImportFile = z.infer<typeof importFileSchema>;

export const importPlanSchema = z.object({ files: z.array(importFileSchema), entries: z.array(importEntrySchema) });
export type ImportPlan = z.infer<typeof importPlanSchema>;
