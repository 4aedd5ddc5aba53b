/**
 * Tracks which clients subscribe to which resources. Gatehouse subscribes to each resource once, and the server keeps
 * running while it has a subscription.
 */
import type { Events } from '../events.ts';
import type { ServerHandle } from '../servers/types.ts';

export interface ResourceSubscriptions {
  /** `send` subscribes with the server; it is called only for the first client. */
  add(client: string, server: ServerHandle, uri: string, send: () => Promise<unknown>): Promise<void>;
  /** Unsubscribes from the server when the last client has left. */
  remove(client: string, uri: string): void;
}

interface Subscription {
  server: ServerHandle;
  uri: string;
  clients: Set<string>;
  /** Lets the server become idle again. */
  release(): void;
}

export function createResourceSubscriptions(events: Events): ResourceSubscriptions {
  const subscriptions = new Set<Subscription>();

  function removeClient(subscription: Subscription, client: string): void {
    if (!subscription.clients.delete(client) || subscription.clients.size > 0) return;
    subscriptions.delete(subscription);
    subscription.release();
    const { server, uri } = subscription;
    // Ignore errors: the server may have stopped, or may not support this request.
    server.request({ method: 'resources/unsubscribe', params: { uri } }).catch(() => undefined);
  }

  events.on('client.disconnected', ({ id }) => {
    for (const subscription of subscriptions) removeClient(subscription, id);
  });

  return {
    async add(client, server, uri, send) {
      const find = () => [...subscriptions].find((known) => known.server === server && known.uri === uri);
      const known = find();
      if (known) {
        known.clients.add(client);
        return;
      }
      await send();
      const subscription = find() ?? { server, uri, clients: new Set<string>(), release: server.keepRunning() };
      subscriptions.add(subscription);
      subscription.clients.add(client);
    },
    remove(client, uri) {
      for (const subscription of subscriptions) if (subscription.uri === uri) removeClient(subscription, client);
    },
  };
}
