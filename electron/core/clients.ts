/** The clients that are connected to the gateway now. */
import type { ClientView, Routing } from '../../shared/model.ts';
import { canElicit } from './execute/execute.ts';
import type { ClientSession } from './gateway/gateway.ts';

export interface Clients {
  list(): ClientView[];
  sessions(): ClientSession[];
  /** Enters a client; the result takes it out again. */
  connected(session: ClientSession): () => void;
}

export function createClients({
  routingOf,
  onChange,
  onLeave,
}: {
  routingOf(name: string): Routing;
  onChange(): void;
  onLeave(id: string): void;
}): Clients {
  const clients = new Map<string, Omit<ClientView, 'routing'>>();
  const sessions = new Map<string, ClientSession>();
  return {
    list: () => Array.from(clients.values(), (client) => ({ ...client, routing: routingOf(client.name) })),
    sessions: () => [...sessions.values()],
    connected(session) {
      const { id, name, version, transport, era, mode, profile, via, capabilities } = session;
      sessions.set(id, session);
      const canAnswer = canElicit(capabilities);
      clients.set(id, { id, name, version, transport, era, mode, profile, via, canAnswer, connectedAt: Date.now() });
      onChange();
      return () => {
        clients.delete(id);
        sessions.delete(id);
        onLeave(id);
        onChange();
      };
    },
  };
}
