/** Commands for notifications. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'notifications.list' | 'notifications.read' | 'notifications.clear'>;

export function notificationCommands({ stores: { notifications } }: CommandServices): Handlers {
  return {
    'notifications.list': notifications.list,
    'notifications.read': ({ ids }) => notifications.read(ids),
    'notifications.clear': ({ ids }) => notifications.clear(ids),
  };
}
