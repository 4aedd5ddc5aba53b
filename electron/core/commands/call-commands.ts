/** Commands for calls in progress. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'calls.active' | 'calls.cancel'>;

export function callCommands({ calls: { active } }: CommandServices): Handlers {
  return {
    'calls.active': active.list,
    'calls.cancel': ({ id }) => active.cancel(id),
  };
}
