/** Commands on the history and what it adds up to. */
import * as z from 'zod';
import { callFilterSchema, callRecordSchema, savingsSchema } from '../model.ts';
import { command } from './command.ts';

export const recordsCommands = {
  /** What the gateway saved in tokens, newest day first. */
  'stats.show': command(z.object({ days: z.number().int().min(1).max(400).default(30) }), z.array(savingsSchema)),
  /** Newest first, from the last few thousand. */
  'audit.list': command(
    callFilterSchema.extend({ limit: z.number().int().min(1).max(1000).optional() }),
    z.array(callRecordSchema),
  ),
  /** The whole history, oldest first, page by page: call again with `next` until there is none. */
  'audit.page': command(
    callFilterSchema.extend({ after: z.string().optional() }),
    z.object({ records: z.array(callRecordSchema), next: z.string().optional() }),
  ),
} as const;
