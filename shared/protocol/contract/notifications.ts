/** Commands for notifications. */
import * as z from 'zod';
import { notificationSchema } from '../../model/notification.ts';
import { command, nothing } from './command.ts';

/** The notifications to change; all if `ids` is absent. */
const ids = z.object({ ids: z.array(z.string()).optional() });

export const notificationCommands = {
  /** Newest first. */
  'notifications.list': command(nothing, z.array(notificationSchema)),
  'notifications.read': command(ids, nothing),
  'notifications.clear': command(ids, nothing),
} as const;
