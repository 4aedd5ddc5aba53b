/** Installing Toolkeep in a client: the current state, and a preview of each change. */
import * as z from 'zod';
import { modeSchema } from './call.ts';
import { failureSchema } from './failure.ts';

export const installStatusSchema = z.object({
  /** Id of the client, as in `toolkeep install`. */
  client: z.string(),
  /** The client's display name. */
  app: z.string(),
  file: z.string(),
  /** Whether the client's config file exists. */
  found: z.boolean(),
  /**
   * `wiped`: the client removed our entry after installation; installing again restores it. `foreign`: another
   * program's entry has our name.
   */
  state: z.enum(['absent', 'installed', 'foreign', 'wiped', 'unreadable']),
  problem: failureSchema.optional(),
  /** Epoch milliseconds when the client connected through our entry. */
  connectedAt: z.number().optional(),
});
export type InstallStatus = z.infer<typeof installStatusSchema>;

export const installChoiceSchema = z.object({
  client: z.string(),
  action: z.enum(['install', 'uninstall']).default('install'),
  mode: modeSchema.optional(),
  /** Whether the client gets `read_tool` in addition to `execute_tool`. */
  readTool: z.boolean().optional(),
  profile: z.string().optional(),
  /** Removes the servers that Toolkeep already has from the client's file. */
  moveServers: z.boolean().optional(),
});
export type InstallChoice = z.infer<typeof installChoiceSchema>;

export const installPlanSchema = z.object({
  client: z.string(),
  app: z.string(),
  file: z.string(),
  action: z.enum(['install', 'uninstall']),
  /** True if the file already has this content. */
  unchanged: z.boolean(),
  /** The exact unified diff, with secrets redacted. */
  diff: z.string(),
  /** Names of the servers that are removed from the file because Toolkeep has them. */
  moved: z.array(z.string()),
  warnings: z.array(z.string()),
  /** The user's next step, which makes the client read the change. */
  afterwards: z.string(),
  /** Whether the client is running; absent if unknown. */
  running: z.boolean().optional(),
  /** Identifies exactly this change; `install.apply` makes no other change. */
  token: z.string(),
});
export type InstallPlan = z.infer<typeof installPlanSchema>;
