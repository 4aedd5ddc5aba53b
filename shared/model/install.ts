/** Putting Gatehouse into a client: how it stands, and a change shown before it is made. */
import * as z from 'zod';
import { modeSchema } from './call.ts';
import { failureSchema } from './failure.ts';

export const installStatusSchema = z.object({
  /** Id of the client, as in `gatehouse install`. */
  client: z.string(),
  /** The client's name for people. */
  app: z.string(),
  file: z.string(),
  /** The client's file is there. */
  found: z.boolean(),
  /** `wiped`: entered, and the client lost it; entering again repairs that. `foreign`: an entry of that name is not ours. */
  state: z.enum(['absent', 'installed', 'foreign', 'wiped', 'unreadable']),
  problem: failureSchema.optional(),
  /** Epoch milliseconds since when it is connected through our entry. */
  connectedAt: z.number().optional(),
});
export type InstallStatus = z.infer<typeof installStatusSchema>;

export const installChoiceSchema = z.object({
  client: z.string(),
  action: z.enum(['install', 'uninstall']).default('install'),
  mode: modeSchema.optional(),
  profile: z.string().optional(),
  /** Takes the servers that Gatehouse has out of the client's file. */
  moveServers: z.boolean().optional(),
});
export type InstallChoice = z.infer<typeof installChoiceSchema>;

export const installPlanSchema = z.object({
  client: z.string(),
  app: z.string(),
  file: z.string(),
  action: z.enum(['install', 'uninstall']),
  /** The file is already as it should be. */
  unchanged: z.boolean(),
  /** The exact difference, unified, with secrets masked. */
  diff: z.string(),
  /** Names of servers that are taken out of the file because Gatehouse has them. */
  moved: z.array(z.string()),
  warnings: z.array(z.string()),
  /** What the person does then, so that the client sees it. */
  afterwards: z.string(),
  /** Whether the client runs now; absent when that is not known. */
  running: z.boolean().optional(),
  /** Stands for exactly this change; `install.apply` makes no other. */
  token: z.string(),
});
export type InstallPlan = z.infer<typeof installPlanSchema>;
