/** The clients that are connected to the gateway now. */
import type { ClientView, Routing } from '../../shared/model.ts';
import { canElicit } from './execute/execute.ts';
import type { ClientSession } from './gateway/gateway.ts';

export interface Clients {
  list(): ClientView[];
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
  return {
    list: () => Array.from(clients.values(), (client) => ({ ...client, routing: routingOf(client.name) })),
    connected({ id, name, version, transport, era, mode, profile, via, capabilities }) {
      const canAnswer = canElicit(capabilities);
      clients.set(id, { id, name, version, transport, era, mode, profile, via, canAnswer, connectedAt: Date.now() });
      onChange();
      return () => {
        clients.delete(id);
        onLeave(id);
        onChange();
      };
    },
  };
}
