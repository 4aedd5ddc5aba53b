/** Trust in a folder's configuration: the changes it would make, and what the user decided. */
import * as z from 'zod';
import { failureSchema } from './failure.ts';

export const trustStatusSchema = z.enum(['none', 'untrusted', 'changed', 'trusted']);

/** The changes that a folder's configuration makes, one line each. */
export const trustEffectsSchema = z.object({
  adds: z.array(z.string()),
  stricter: z.array(z.string()),
  /** Each line weakens the user's protection and applies only if the user accepts its id. */
  loosens: z.array(z.object({ id: z.string(), text: z.string() })),
  /** Parts that do not apply, with the reason. */
  ignored: z.array(z.string()),
});
export type TrustEffects = z.infer<typeof trustEffectsSchema>;

export const trustReviewSchema = z.object({
  /** The real path. */
  folder: z.string(),
  /** `none`: the folder has no configuration. `changed`: its content differs from what the user trusted. */
  status: trustStatusSchema,
  file: z.string().optional(),
  /** The files that belong to the configuration, with their SHA-256. */
  files: z.array(z.object({ path: z.string(), hash: z.string() })),
  /** True if reading the configuration means running code from the folder. */
  isCode: z.boolean(),
  codeHash: z.string(),
  hash: z.string(),
  /** Absent until the code has run. */
  effects: trustEffectsSchema.optional(),
  /** Ids that the user accepted earlier. */
  accepted: z.array(z.string()),
  problems: z.array(failureSchema),
});
export type TrustReview = z.infer<typeof trustReviewSchema>;

export const trustedFolderSchema = z.object({
  folder: z.string(),
  file: z.string(),
  files: z.number(),
  /** `inactive`: Core was started in another folder. `changed`: ignored until the user trusts the new content. */
  state: z.enum(['active', 'inactive', 'changed']),
  accepted: z.array(z.string()),
  /** The lines that the user reviewed. `loosens` has only the accepted ones. */
  adds: z.array(z.string()),
  stricter: z.array(z.string()),
  loosens: z.array(z.string()),
  /** Epoch milliseconds. */
  trustedAt: z.number(),
});
export type TrustedFolderView = z.infer<typeof trustedFolderSchema>;
