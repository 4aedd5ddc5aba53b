/** Commands on tools, as the person uses them. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { callFailure } from '../execute/execute.ts';
import type { Parts } from './commands.ts';

type Handlers = Pick<
  CommandHandlers,
  'tools.search' | 'tools.list' | 'tools.details' | 'tools.execute' | 'tools.accept'
>;

/** The person at the window or the command line; has no client behind it that could be asked. */
const person = { id: 'gatehouse', name: 'Gatehouse', capabilities: {} };

export function toolCommands({ servers, toolbox, executor, emit }: Parts): Handlers {
  return {
    'tools.search': ({ query, server, limit }) => {
      if (server) servers.config(server);
      return toolbox.search(query, { server, limit });
    },
    'tools.list': (filter) => {
      if (filter.server) servers.config(filter.server);
      return toolbox.list(filter);
    },
    'tools.details': ({ server, tool }) => {
      servers.config(server);
      const { fingerprint: _, ...view } = toolbox.find(server, tool);
      return view;
    },
    'tools.execute': async ({ server, tool, arguments: args }) => {
      try {
        const { signal } = new AbortController();
        return await executor.execute({ caller: person, server, tool, arguments: args, signal });
      } catch (error) {
        throw callFailure(error, server, tool);
      }
    },
    'tools.accept': ({ server, tool }) => {
      servers.config(server);
      toolbox.accept(server, tool);
      emit('tools.changed', { servers: [server] });
    },
  };
}
