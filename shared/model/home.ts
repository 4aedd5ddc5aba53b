/** The start page: items that need attention, recent activity, and the current step of the first run. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';

/**
 * How to fix a failed server. `secret`: `servers.restart` asks for the missing value. `vault`: the user enters a stored
 * secret again. `edit`: the command is wrong or not installed. `config`: like `edit`, but in a file that Toolkeep does not
 * change.
 */
export const serverFixSchema = z.enum(['secret', 'vault', 'edit', 'config', 'retry']);
export type ServerFix = z.infer<typeof serverFixSchema>;

export const attentionSchema = z.discriminatedUnion('kind', [
  /** Servers that need secrets start after the user enters the vault's passphrase. */
  z.object({ kind: z.literal('vault-locked') }),
  z.object({
    kind: z.literal('server-failed'),
    server: z.string(),
    failure: failureSchema,
    fix: serverFixSchema,
  }),
  z.object({ kind: z.literal('sign-in'), server: z.string() }),
  /** Tools that agents cannot run until the user accepts them. `suspicious` counts those with findings. */
  z.object({
    kind: z.literal('held-tools'),
    server: z.string(),
    tools: z.array(z.string()),
    suspicious: z.number(),
  }),
  /** `canMove`: `secrets.moveToVault` can move them. */
  z.object({
    kind: z.literal('plain-secrets'),
    server: z.string(),
    secrets: z.array(z.string()),
    canMove: z.boolean(),
  }),
  /** The configuration of the folder that Core was started in, which is ignored until the user trusts it. */
  z.object({ kind: z.literal('untrusted-folder'), folder: z.string(), file: z.string(), hasChanged: z.boolean() }),
]);
export type Attention = z.infer<typeof attentionSchema>;

const toolRef = z.object({ server: z.string(), tool: z.string() });

export const activitySchema = z.object({
  /** The calls of today by client and server, the most frequent pairs first. `client` is the name that the client reports. */
  pairs: z.array(z.object({ client: z.string(), server: z.string(), calls: z.number() })),
  /** The slowest tools, without the time that calls waited for the user. */
  slowest: z.array(toolRef.extend({ calls: z.number(), averageMs: z.number() })),
  /** Enabled tools without a call in the recorded history, which starts at `since`. */
  unused: z.object({ count: z.number(), examples: z.array(toolRef), since: z.number().optional() }),
});
export type Activity = z.infer<typeof activitySchema>;

/** The steps of the first run, in order; `done` after the user finished or skipped it. */
export const setupStepSchema = z.enum(['welcome', 'servers', 'clients', 'try', 'done']);
export type SetupStep = z.infer<typeof setupStepSchema>;
