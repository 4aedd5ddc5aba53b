/** Commands on the vault. */
import * as z from 'zod';
import { secretsViewSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const secretsCommands = {
  /** Never a value. */
  'secrets.list': command(nothing, secretsViewSchema),
  /** Keeps a secret in the vault; servers that refer to it are started anew if they run or failed. */
  'secrets.set': command(
    z.object({ name: z.string().regex(/^[^${}\n]{1,200}$/), value: z.string().min(1).max(100_000) }),
    nothing,
  ),
  'secrets.remove': command(z.object({ name: z.string() }), nothing),
  /** Moves the secrets of a server of the person's own to the vault; resolves with their names there. */
  'secrets.protect': command(z.object({ server: z.string() }), z.object({ moved: z.array(z.string()) })),
} as const;
