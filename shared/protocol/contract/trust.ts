/** Commands for trusted folders. Only a UI may call them, because trust is the user's decision. */
import * as z from 'zod';
import { trustedFolderSchema, trustReviewSchema } from '../../model/trust.ts';
import { command, nothing } from './command.ts';

const folder = z.string().min(1).max(4096);

export const trustCommands = {
  /**
   * The changes that the folder's configuration makes. `runCode` is the hash of the code that the user allows to run
   * for this review.
   */
  'trust.review': command(z.object({ folder, runCode: z.string().optional() }), trustReviewSchema),
  /** Trusts the reviewed content, with the loosening lines that the user accepted. */
  'trust.save': command(
    z.object({ folder, hash: z.string(), codeHash: z.string(), accept: z.array(z.string()).default([]) }),
    nothing,
  ),
  'trust.list': command(nothing, z.array(trustedFolderSchema)),
  'trust.revoke': command(z.object({ folder }), nothing),
  /** Undoes `trust.revoke` for the same content. */
  'trust.restore': command(z.object({ folder }), nothing),
} as const;
