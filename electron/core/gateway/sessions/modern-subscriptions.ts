/**
 * The resource subscriptions of modern clients. The SDK manages their streams and filters what each one receives; this
 * module only tracks the subscriptions, so that Gatehouse can subscribe with the servers too.
 */
import { isObject } from '../../../../shared/is-object.ts';
import type { JsonObject } from '../../types.ts';
import type { ClientSession, GatewayServices } from '../services.ts';
import { type ClientInfo, modernClientInfo } from './session.ts';

export interface ModernSubscriptions {
  /** Reads a message from the client. */
  note(message: unknown): void;
  /** Ends every subscription of the client. */
  close(): void;
}

export function createModernSubscriptions(
  { promptsResources }: Pick<GatewayServices, 'promptsResources'>,
  openSession: (client: ClientInfo) => ClientSession,
): ModernSubscriptions {
  const open = new Map<unknown, () => void>();

  function begin(id: unknown, params: JsonObject): () => void {
    const filter = params.notifications as { resourceSubscriptions?: unknown } | undefined;
    const listed = Array.isArray(filter?.resourceSubscriptions) ? filter.resourceSubscriptions : [];
    const uris = listed.filter((uri) => typeof uri === 'string');
    if (uris.length === 0) return () => undefined;
    const session = openSession(modernClientInfo(isObject(params._meta) ? params._meta : {}));
    // Each subscription has an ID of its own, so that its end does not end another on the same resource.
    const subscriber = { ...session, id: `${session.id}/${String(id)}` };
    const setSubscribed = (isSubscribed: boolean) => {
      // Ignore errors: the SDK cannot refuse a resource that no server offers.
      for (const uri of uris) promptsResources.subscribe(subscriber, uri, isSubscribed).catch(() => undefined);
    };
    setSubscribed(true);
    return () => setSubscribed(false);
  }

  function end(id: unknown): void {
    open.get(id)?.();
    open.delete(id);
  }

  return {
    note(message) {
      const { id, method, params: given } = message as { id?: unknown; method?: unknown; params?: unknown };
      const params = isObject(given) ? given : {};
      if (method === 'notifications/cancelled') end(params.requestId);
      if (method !== 'subscriptions/listen' || id === undefined) return;
      end(id);
      open.set(id, begin(id, params));
    },
    close() {
      for (const id of [...open.keys()]) end(id);
    },
  };
}
