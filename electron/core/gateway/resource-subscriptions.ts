/**
 * Tracks which clients subscribe to which resources. Toolkeep subscribes to each resource once, and the server keeps
 * running while it has a subscription.
 */

import { limits } from '../../../shared/limits.ts';
import type { Events } from '../events.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { ServerHandle } from '../servers/types.ts';

export interface SubscribedResource {
  server: ServerHandle;
  /** The server's own URI. */
  uri: string;
  /** The URI under which the client subscribed. */
  asked: string;
}

interface Subscription {
  server: ServerHandle;
  uri: string;
  /** The URIs under which each client subscribed. */
  clients: Map<string, Set<string>>;
  /** Lets the server become idle again. */
  release(): void;
}

const maxPerClient = limits.client.subscriptions;

export function createResourceSubscriptions(events: Events) {
  const subscriptions = new Set<Subscription>();
  /** By client, the URIs that it has subscribed to, or is about to. */
  const admitted = new Map<string, Set<string>>();

  /** Removes one of the client's URIs, or all of them if `asked` is undefined. */
  function removeClient(subscription: Subscription, client: string, asked?: string): void {
    const addresses = subscription.clients.get(client);
    if (!addresses) return;
    if (asked !== undefined) addresses.delete(asked);
    if (asked !== undefined && addresses.size > 0) return;
    subscription.clients.delete(client);
    if (subscription.clients.size > 0) return;
    subscriptions.delete(subscription);
    subscription.release();
    const { server, uri } = subscription;
    // Ignore errors: the server may have stopped, or may not support this request.
    server.request({ method: 'resources/unsubscribe', params: { uri } }).catch(() => undefined);
  }

  events.on('client.disconnected', ({ id }) => {
    for (const subscription of subscriptions) removeClient(subscription, id);
    admitted.delete(id);
  });

  return {
    /**
     * Call before anything else for a URI that a client subscribes to. Throws if the client has too many. Returns a function that
     * takes it back, for a subscription that fails.
     */
    admit(client: string, asked: string): () => void {
      const own = admitted.get(client) ?? new Set();
      if (own.has(asked)) return () => undefined;
      if (own.size >= maxPerClient)
        throw new RpcError(-32602, `A client may subscribe to at most ${maxPerClient} resources.`);
      admitted.set(client, own.add(asked));
      return () => void own.delete(asked);
    },
    /** `send` sends the subscription to the server; it is called only for the first client. */
    async add(client: string, { server, uri, asked }: SubscribedResource, send: () => Promise<unknown>): Promise<void> {
      const find = () => [...subscriptions].find((known) => known.server === server && known.uri === uri);
      if (!find()) await send();
      const subscription = find() ?? { server, uri, clients: new Map(), release: server.keepRunning() };
      subscriptions.add(subscription);
      const addresses = subscription.clients.get(client) ?? new Set();
      subscription.clients.set(client, addresses.add(asked));
    },
    /** Unsubscribes from the server when the last client has left. */
    remove(client: string, asked: string): void {
      admitted.get(client)?.delete(asked);
      for (const subscription of subscriptions) removeClient(subscription, client, asked);
    },
  };
}
