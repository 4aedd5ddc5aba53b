/** Commands on what search was taught, and on what the gateway saves. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import type { Parts } from './parts.ts';

type Handlers = Pick<CommandHandlers, 'search.aliases' | 'search.teach' | 'search.forget' | 'stats.show'>;

export function searchCommands({ servers, toolbox, lessons, savings }: Parts): Handlers {
  return {
    'search.aliases': () => lessons.list(),
    'search.teach': ({ query, server, tool }) => {
      servers.config(server);
      toolbox.find(server, tool);
      lessons.teach({ query, server, tool, taughtBy: 'person' });
    },
    'search.forget': ({ id }) => ({ forgotten: lessons.forget(id) }),
    'stats.show': ({ days }) => savings.show(days),
  };
}
