/** Commands for servers. */
import * as z from 'zod';
import { maxTimerMs } from '../../max-timer.ts';
import { confinementTrialSchema } from '../../model/sandbox.ts';
import {
  discoveryResultSchema,
  serverConfigSchema,
  serverNameSchema,
  serverTagSchema,
  serverTrialSchema,
  serverViewSchema,
} from '../../model/server.ts';
import { logEntrySchema } from '../../model/server-log.ts';
import { command, nothing } from './command.ts';

/** `basedOn`: the stored server whose secrets replace the placeholders, if its name is not that of `server`. */
const edited = z.object({
  server: serverConfigSchema.extend({ name: serverNameSchema }),
  basedOn: z.string().optional(),
});

export const serversCommands = {
  'servers.list': command(nothing, z.array(serverViewSchema)),
  /** Adds or replaces one of the user's servers. Its secrets move to the vault if the vault is persistent. */
  'servers.save': command(edited, nothing),
  /** Starts the server once, without saving it. */
  'servers.test': command(edited, serverTrialSchema),
  /** Renames a server, also in rules, profiles and overrides. Its grants end, and it needs a new sign-in. */
  'servers.rename': command(z.object({ server: z.string(), name: serverNameSchema }), nothing),
  /**
   * The config of one of the user's own servers, for editing. Plain-text secrets are replaced with placeholders, which
   * `servers.save` turns back into the stored secrets.
   */
  'servers.config': command(z.object({ server: z.string() }), serverConfigSchema),
  /**
   * The icon with this ID that the server declares, as a checked `data:` URI. Absent if the server's icon has changed
   * since.
   */
  'servers.icon': command(z.object({ server: z.string(), icon: z.string() }), z.object({ src: z.string().optional() })),
  /** The config files of clients that have the server now. Its origins may have lost it. */
  'servers.copies': command(z.object({ server: z.string() }), z.object({ files: z.array(z.string()) })),
  'servers.remove': command(z.object({ server: z.string() }), nothing),
  /** The servers that were removed in the last 30 days, newest first. */
  'servers.removed': command(
    nothing,
    z.array(z.object({ server: z.string(), target: z.string(), removedAt: z.number() })),
  ),
  /** Deletes a removed server permanently. */
  'servers.forget': command(z.object({ server: z.string() }), nothing),
  /** Restores a removed server. */
  'servers.restore': command(z.object({ server: z.string() }), nothing),
  'servers.setEnabled': command(z.object({ server: z.string(), enabled: z.boolean() }), nothing),
  /** Adds tags to servers and removes others, wherever the servers are configured. */
  'servers.tag': command(
    z.object({
      servers: z.array(z.string()).min(1).max(10_000),
      add: z.array(serverTagSchema).max(100).default([]),
      remove: z.array(z.string()).max(1_000).default([]),
    }),
    nothing,
  ),
  /** Stops the server if it is running, starts it and discovers its tools; resolves when the server is ready. */
  'servers.restart': command(z.object({ server: z.string() }), serverViewSchema),
  /**
   * Lists the tools of `server`, or of every enabled server, again, and starts those that do not run. A server that takes longer
   * than `timeoutMs` is reported as failed, but its discovery continues.
   */
  'servers.discover': command(
    z.object({ server: z.string().optional(), timeoutMs: z.number().int().min(1).max(maxTimerMs).optional() }),
    z.object({ results: z.array(discoveryResultSchema) }),
  ),
  /**
   * Confines one of the user's own servers if it then lists the same tools; the result has the differences. Without `isWanted`, the
   * server runs unconfined again.
   */
  'servers.confine': command(z.object({ server: z.string(), isWanted: z.boolean() }), confinementTrialSchema),
  'servers.stop': command(z.object({ server: z.string() }), nothing),
  /** Opens the browser for OAuth; resolves when the user has signed in and the server has started. */
  'servers.signIn': command(z.object({ server: z.string() }), serverViewSchema),
  /** Ends the wait of `servers.signIn`, which then fails with CANCELLED. */
  'servers.cancelSignIn': command(z.object({ server: z.string() }), nothing),
  /** Deletes the stored sign-in and stops the server. */
  'servers.signOut': command(z.object({ server: z.string() }), nothing),
  /** The next entries of the server's log, oldest first. Once all are read, `servers.logged` reports the next new entry. */
  'servers.log': command(
    z.object({ server: z.string(), after: z.number().int().min(0).default(0) }),
    z.object({ entries: z.array(logEntrySchema), more: z.boolean() }),
  ),
} as const;
