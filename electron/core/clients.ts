/** The clients that are connected to the gateway now. */
import type { ClientView } from '../../shared/model.ts';
import type { ClientSession } from './gateway/gateway.ts';

export interface Clients {
  list(): ClientView[];
  /** Enters a client; the result takes it out again. */
  connected(session: ClientSession): () => void;
}

export function createClients({ onChange, onLeave }: { onChange(): void; onLeave(id: string): void }): Clients {
  const clients = new Map<string, ClientView>();
  return {
    list: () => [...clients.values()],
    connected({ id, name, version, transport, era, mode }) {
      clients.set(id, { id, name, version, transport, era, mode, connectedAt: Date.now() });
      onChange();
      return () => {
        clients.delete(id);
        onLeave(id);
        onChange();
      };
    },
  };
}
