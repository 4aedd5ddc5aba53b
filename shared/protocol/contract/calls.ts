/** Commands for calls in progress. */
import * as z from 'zod';
import { activeCallSchema } from '../../model/call.ts';
import { command, nothing } from './command.ts';

export const callCommands = {
  /** All clients' calls, oldest first. */
  'calls.active': command(nothing, z.array(activeCallSchema)),
  /** Cancels a call; its client gets CANCELLED. */
  'calls.cancel': command(z.object({ id: z.string() }), nothing),
} as const;
