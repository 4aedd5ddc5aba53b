/** Commands for calls in progress. */
import * as z from 'zod';
import { activeCallSchema, keptResultSchema } from '../../model/call.ts';
import { command, nothing } from './command.ts';

export const callCommands = {
  /** All clients' calls, oldest first. */
  'calls.active': command(nothing, z.array(activeCallSchema)),
  /** The result of a call in the history, if it is still kept; see the setting `resultDays`. */
  'calls.result': command(
    z.object({ callId: z.string(), at: z.number() }),
    z.object({ kept: keptResultSchema.optional() }),
  ),
  /** Cancels a call; its client gets CANCELLED. */
  'calls.cancel': command(z.object({ id: z.string() }), nothing),
} as const;
