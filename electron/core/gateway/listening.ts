/**
 * What modern clients listen to. The SDK keeps their streams and picks what goes to whom; here it is only noted which
 * resources they follow, so that the servers can be told.
 */
import type { ClientSession, GatewayBackend, RawResult } from './backend.ts';
import { type Introduction, modernIntroduction } from './session.ts';

export interface Listening {
  /** Looks at a message of the client. */
  note(message: unknown): void;
  /** The client is gone, and all that it listened to with it. */
  close(): void;
}

export function createListening(
  backend: GatewayBackend,
  introduce: (client: Introduction) => ClientSession,
): Listening {
  const open = new Map<unknown, () => void>();

  function begin(id: unknown, params: RawResult): () => void {
    const wanted = params.notifications as { resourceSubscriptions?: unknown } | undefined;
    const listed = Array.isArray(wanted?.resourceSubscriptions) ? wanted.resourceSubscriptions : [];
    const uris = listed.filter((uri) => typeof uri === 'string');
    if (uris.length === 0) return () => undefined;
    const session = introduce(modernIntroduction((params._meta ?? {}) as RawResult));
    // Each subscription of a client stands for itself: the end of one must not end another on the same resource.
    const subscriber = { ...session, id: `${session.id}/${String(id)}` };
    const each = (follow: boolean) => {
      // What nobody offers is not followed; the SDK has no way to refuse it.
      for (const uri of uris) backend.followResource?.(subscriber, uri, follow).catch(() => undefined);
    };
    each(true);
    return () => each(false);
  }

  function end(id: unknown): void {
    open.get(id)?.();
    open.delete(id);
  }

  return {
    note(message) {
      const { id, method, params = {} } = message as { id?: unknown; method?: unknown; params?: RawResult };
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
