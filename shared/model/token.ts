/** Bearer tokens that the user issued to HTTP clients. */
import * as z from 'zod';

/** Starts with a letter or digit, so that it cannot be mistaken for a command-line option. */
export const tokenNameSchema = z
  .string()
  .max(64)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
    'use only letters, digits, spaces, ".", "_" and "-", and start with a letter or digit',
  );

/** `client` opens the MCP endpoint, and `status` only the status of the servers. */
export const tokenKindSchema = z.enum(['client', 'status']);
export type TokenKind = z.infer<typeof tokenKindSchema>;

/** A token without its secret, which is shown only once, on creation. */
export const tokenViewSchema = z.object({
  name: z.string(),
  kind: tokenKindSchema,
  /** The profile that limits the token's client; absent if the client sees everything. */
  profile: z.string().optional(),
  createdAt: z.number(),
  /** Epoch milliseconds of the last use since Toolkeep started. */
  lastUsedAt: z.number().optional(),
});
export type TokenView = z.infer<typeof tokenViewSchema>;

/** The header that an HTTP client sends with its token. */
export const tokenHeader = (token: string): string => `Authorization: Bearer ${token}`;
