/** Commands for the history and its statistics. */
import * as z from 'zod';
import { callFilterSchema, callRecordSchema } from '../../model/call.ts';
import { changeViewSchema } from '../../model/change.ts';
import { activitySchema } from '../../model/home.ts';
import { storySessionSchema } from '../../model/story.ts';
import { command, nothing, toolRef } from './command.ts';

export const historyCommands = {
  /** Enabled tools without a call in the recorded history. */
  'stats.unused': command(nothing, z.array(toolRef)),
  /** The usage of the last `days` days. */
  'stats.activity': command(z.object({ days: z.number().int().min(1).max(31).default(7) }), activitySchema),
  /** Newest first, limited to the last few thousand records. */
  'history.list': command(
    callFilterSchema.extend({ limit: z.number().int().min(1).max(1000).optional() }),
    z.array(callRecordSchema),
  ),
  /** The sessions of each client between two times in epoch milliseconds, from the last few thousand records. */
  'history.story': command(z.object({ from: z.number(), to: z.number() }), z.array(storySessionSchema)),
  /** The changes to Toolkeep and to clients' files, newest first. */
  'changes.list': command(nothing, z.array(changeViewSchema)),
  /** Undoes a change. Fails with INPUT_INVALID if something has changed it since. */
  'changes.undo': command(z.object({ id: z.string() }), nothing),
  /** The whole history, oldest first, in pages: call again with `next` until it is absent. */
  'history.page': command(
    callFilterSchema.extend({ after: z.string().optional() }),
    z.object({ records: z.array(callRecordSchema), next: z.string().optional() }),
  ),
} as const;
