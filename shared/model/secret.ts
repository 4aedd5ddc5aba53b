/** The vault as a UI sees it: names and locations, never values. */
import * as z from 'zod';

/**
 * `persistent: false`: secrets are kept in memory until Toolkeep quits. `label`: the mechanism that encrypts or stores
 * them. `passphrase`: whether the user can set one, must enter it, or has; absent if a keyring or a file has the key.
 */
export const vaultViewSchema = z.object({
  label: z.string(),
  persistent: z.boolean(),
  passphrase: z.enum(['unset', 'locked', 'entered']).optional(),
});
export type VaultView = z.infer<typeof vaultViewSchema>;

/** The length of a passphrase that the user sets in Toolkeep. */
export const minPassphraseCharacters = 8;

export const secretsViewSchema = z.object({
  vault: vaultViewSchema,
  secrets: z.array(
    z.object({
      name: z.string(),
      /** False when servers refer to a name that has no value in the vault. */
      isSet: z.boolean(),
      /** The user entered a value that is kept only until Toolkeep quits. */
      isTemporary: z.boolean().optional(),
      servers: z.array(z.string()),
    }),
  ),
  /** Plain-text secrets by server, described as "the header Authorization". `own`: `secrets.moveToVault` can move them. */
  plain: z.array(z.object({ server: z.string(), secrets: z.array(z.string()), own: z.boolean() })),
});
export type SecretsView = z.infer<typeof secretsViewSchema>;
