/** Installing Toolkeep in a client: the current state, and a preview of each change. */
import * as z from 'zod';
import { modeSchema } from './call.ts';
import { failureSchema } from './failure.ts';

/** The access that an entry gives its client. Without a profile, the client sees all servers. */
export const clientAccessSchema = z.object({
  mode: modeSchema.optional(),
  /** Whether the client gets `read_tool` in addition to `execute_tool`. */
  readTool: z.boolean().optional(),
  /** Whether the client runs the tools of this entry without questions of its own, so that only Toolkeep asks. */
  letToolkeepAsk: z.boolean().optional(),
  profile: z.string().optional(),
});
export type ClientAccess = z.infer<typeof clientAccessSchema>;

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
  /** The access by our entry; if the client removed the entry, the access that it gave before. */
  access: clientAccessSchema.optional(),
  /** True if there is no such profile, so that the client sees no tools. */
  isProfileMissing: z.boolean().optional(),
  /** Epoch milliseconds when the client connected through our entry as it is now. */
  connectedAt: z.number().optional(),
  /** The same for its last connection, if it is not connected. */
  lastConnectedAt: z.number().optional(),
});
export type InstallStatus = z.infer<typeof installStatusSchema>;

export const installChoiceSchema = clientAccessSchema.extend({
  client: z.string(),
  action: z.enum(['install', 'uninstall']).default('install'),
  /**
   * Removes the servers that Toolkeep already has from the client's file, except those that never started in Toolkeep. A list limits
   * them to the `moved` of a plan: other servers may have started since.
   */
  moveServers: z.union([z.boolean(), z.array(z.string())]).optional(),
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
  /**
   * Who asks before calls after this change, for a client with questions of its own. `both` with `isChoice: false`: the entry cannot
   * prevent the client's questions.
   */
  asks: z.object({ who: z.enum(['both', 'toolkeep']), isChoice: z.boolean() }).optional(),
  /** The user's next step, which makes the client read the change. */
  afterwards: z.string(),
  /** Whether the client is running; absent if unknown. */
  running: z.boolean().optional(),
  /** Identifies exactly this change; `install.apply` makes no other change. */
  token: z.string(),
});
export type InstallPlan = z.infer<typeof installPlanSchema>;
