/** Commands on the calls in progress. */
import * as z from 'zod';
import { activeCallSchema } from '../../model/call.ts';
import { command, nothing } from './command.ts';

export const callCommands = {
  /** The calls of all clients, oldest first. */
  'calls.active': command(nothing, z.array(activeCallSchema)),
  /** Cancels one of them; its client gets CANCELLED. */
  'calls.cancel': command(z.object({ id: z.string() }), nothing),
} as const;
