/** Commands on servers. */
import * as z from 'zod';
import { serverConfigSchema, serverViewSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const serversCommands = {
  'servers.list': command(nothing, z.array(serverViewSchema)),
  /** Adds or replaces a server of the person's own. Its secrets go to the vault where that lasts. */
  'servers.save': command(z.object({ server: serverConfigSchema }), nothing),
  'servers.remove': command(z.object({ server: z.string() }), nothing),
  'servers.setEnabled': command(z.object({ server: z.string(), enabled: z.boolean() }), nothing),
  /** Stops the server if it runs, starts it and discovers its tools; resolves when it is ready. */
  'servers.restart': command(z.object({ server: z.string() }), serverViewSchema),
  'servers.stop': command(z.object({ server: z.string() }), nothing),
  /** Opens the browser for OAuth; resolves when the person has come back and the server was started with the sign-in. */
  'servers.signIn': command(z.object({ server: z.string() }), serverViewSchema),
  /** Forgets the sign-in and stops the server. */
  'servers.signOut': command(z.object({ server: z.string() }), nothing),
} as const;
