/** The vault as faces see it: names and places, never a value. */
import * as z from 'zod';

/** `persistent: false`: secrets are in memory until Gatehouse ends. `label`: with what they are sealed, or where they are. */
export const vaultViewSchema = z.object({ label: z.string(), persistent: z.boolean() });

export const secretsViewSchema = z.object({
  vault: vaultViewSchema,
  secrets: z.array(
    z.object({
      name: z.string(),
      /** False: servers refer to it and the vault has no value. */
      isSet: z.boolean(),
      servers: z.array(z.string()),
    }),
  ),
  /** Secrets in plain text, by server: in words such as "the header Authorization". `own`: can be moved by `secrets.protect`. */
  plain: z.array(z.object({ server: z.string(), secrets: z.array(z.string()), own: z.boolean() })),
});
export type SecretsView = z.infer<typeof secretsViewSchema>;
