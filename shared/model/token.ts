/** Bearer tokens that the user gave to HTTP clients. */
import * as z from 'zod';

/** A letter or digit first, so that it is never taken for an option. */
export const tokenNameSchema = z
  .string()
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'use letters, digits, spaces, ".", "_" and "-"');

/** A token without its secret, which is shown once when it is made. */
export const tokenViewSchema = z.object({
  name: z.string(),
  /** Its client sees this profile and no other; absent for everything. */
  profile: z.string().optional(),
  createdAt: z.number(),
  /** Since Gatehouse started. */
  lastUsedAt: z.number().optional(),
});
export type TokenView = z.infer<typeof tokenViewSchema>;
