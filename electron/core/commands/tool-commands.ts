/** Commands on tools, as the person uses them. */
import { type CommandHandlers, events } from '../../../shared/contract.ts';
import { callFailure } from '../execute/execute.ts';
import type { Parts } from './parts.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'tools.search'
  | 'tools.list'
  | 'tools.details'
  | 'tools.compatibility'
  | 'tools.execute'
  | 'tools.cancel'
  | 'tools.accept'
>;

const progressSchema = events['calls.progressed'].omit({ callId: true });

/** The person at the window or the command line; has no client behind it that could be asked. */
const person = { id: 'gatehouse', name: 'Gatehouse', capabilities: {} };

export function toolCommands({ servers, toolbox, executor, sessions, reaches, emit }: Parts): Handlers {
  const running = new Map<string, AbortController>();
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
      const { fingerprint: _, isRepeatable: __, ...view } = toolbox.find(server, tool);
      return view;
    },
    'tools.compatibility': ({ server, tool }) => {
      servers.config(server);
      const seen = sessions().filter((client) => reaches(client, server));
      return seen.map((client) => {
        const { name, mode } = client;
        return { client: name, mode, ...toolbox.compatibility(server, tool, client) };
      });
    },
    'tools.execute': async ({ server, tool, arguments: args, callId }) => {
      const controller = new AbortController();
      if (callId) running.set(callId, controller);
      const onProgress = (params: Record<string, unknown>) => {
        const progress = progressSchema.safeParse(params);
        if (callId && progress.success) emit('calls.progressed', { callId, ...progress.data });
      };
      try {
        const call = { caller: person, server, tool, arguments: args, signal: controller.signal };
        return await executor.execute(callId ? { ...call, onProgress } : call);
      } catch (error) {
        throw callFailure(error, server, tool);
      } finally {
        if (callId) running.delete(callId);
      }
    },
    'tools.cancel': ({ callId }) => running.get(callId)?.abort(),
    'tools.accept': ({ server, tool }) => {
      servers.config(server);
      toolbox.accept(server, tool);
      emit('tools.changed', { servers: [server] });
    },
  };
}
