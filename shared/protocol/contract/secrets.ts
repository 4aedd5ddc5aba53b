/** Commands for the vault. */
import * as z from 'zod';
import { secretsViewSchema } from '../../model/secret.ts';
import { command, nothing } from './command.ts';

export const secretsCommands = {
  /** Returns names, never values. */
  'secrets.list': command(nothing, secretsViewSchema),
  /** Stores a secret in the vault. Servers that refer to it restart if they are running or failed. */
  'secrets.set': command(
    z.object({ name: z.string().regex(/^[^${}\n]{1,200}$/), value: z.string().min(1).max(100_000) }),
    nothing,
  ),
  /** Sets the vault's first passphrase, or unlocks the vault. Fails with SECRET_UNREADABLE if it is another one. */
  'secrets.usePassphrase': command(z.object({ passphrase: z.string().min(1).max(1_000) }), nothing),
  'secrets.remove': command(z.object({ name: z.string() }), nothing),
  /** Moves the secrets of one of the user's servers to the vault; resolves with their names there. */
  'secrets.moveToVault': command(z.object({ server: z.string() }), z.object({ moved: z.array(z.string()) })),
} as const;
