/** Commands for updates of Toolkeep. */
import * as z from 'zod';
import { updateSchema } from '../../model/update.ts';
import { command, nothing } from './command.ts';

export const updateCommands = {
  /** The result is absent if nothing is known about updates, for example for a package without a feed. */
  'updates.show': command(nothing, updateSchema.optional()),
  /** Looks for a new version now, unless that is disabled. */
  'updates.check': command(nothing, nothing),
  /**
   * Restarts the app to install the update that is ready, as soon as no call is running and no question is open.
   * `wanted: false` cancels the request.
   */
  'updates.restart': command(z.object({ wanted: z.boolean() }), nothing),
} as const;
