/** Commands for search feedback. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { CommandServices } from './services.ts';

type Handlers = Pick<CommandHandlers, 'search.feedback.list' | 'search.feedback.add' | 'search.feedback.remove'>;

export function searchCommands({ servers, knownTools, stores: { feedback } }: CommandServices): Handlers {
  return {
    'search.feedback.list': () => feedback.list(),
    'search.feedback.add': ({ query, server, tool }) => {
      servers.config(server);
      knownTools.find(server, tool);
      feedback.add({ query, server, tool, source: 'user' });
    },
    'search.feedback.remove': ({ id }) => ({ forgotten: feedback.remove(id) }),
  };
}
