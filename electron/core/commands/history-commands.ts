/** Commands for the history, and for the tokens that the gateway saved. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'history.list' | 'history.page' | 'stats.show'>;

export function historyCommands({ stores: { history, savings } }: CommandServices): Handlers {
  return {
    'history.list': (filter) => history.list(filter),
    'history.page': ({ after, ...filter }) => history.page(filter, after),
    'stats.show': ({ days }) => savings.show(days),
  };
}
