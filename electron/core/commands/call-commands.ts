/** Commands for calls in progress. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'calls.active' | 'calls.cancel' | 'calls.result'>;

export function callCommands({ calls: { active }, stores }: CommandServices): Handlers {
  return {
    'calls.active': active.list,
    'calls.cancel': ({ id }) => active.cancel(id),
    'calls.result': async (call) => ({ kept: await stores.results.find(call) }),
  };
}
