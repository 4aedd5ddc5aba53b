/**
 * What a server tells of by itself: followed resources, in either era and over restarts of the server, and for the modern
 * era `subscriptions/listen`, its only way to tell of changes at all. Reopened when its stream drops.
 */
import type { Peer } from './peer.ts';
import { UpstreamRpcError } from './rpc-error.ts';
import type { UpstreamInfo } from './types.ts';

/** The longest that a timer can hold; a subscription has no end of its own. */
const forever = 2 ** 31 - 1;

export interface Subscriptions {
  /** Stands in for `resources/subscribe`, which the modern era does not have. */
  subscribe(uri: string): void;
  unsubscribe(uri: string): void;
  close(): void;
}

type Live = { peer: Peer; info: UpstreamInfo };

/** A new connection knows nothing of what was followed on the one before it. */
export function followAgain(
  { peer, info }: Live,
  uris: ReadonlySet<string>,
  onNotification: (method: string, params: Record<string, unknown>) => void,
): void {
  for (const uri of uris) {
    if (info.era === 'legacy')
      peer.request({ method: 'resources/subscribe', params: { uri }, timeoutMs: 30_000 }).catch(() => undefined);
    // It may have changed meanwhile, and nobody would ever hear of that.
    onNotification('notifications/resources/updated', { uri });
  }
}

/** `uris` are those that are followed already. */
export function openSubscriptions(
  { peer, info }: Live,
  onWarning: (kind: string, message: string) => void,
  uris: Set<string>,
): Subscriptions {
  let current: AbortController | undefined;
  let closed = false;
  let opened = 0;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  const changes = (kind: string) =>
    (info.capabilities[kind] as { listChanged?: boolean } | undefined)?.listChanged === true;

  function filter(): Record<string, unknown> | undefined {
    const wanted = {
      ...(changes('tools') ? { toolsListChanged: true } : {}),
      ...(changes('prompts') ? { promptsListChanged: true } : {}),
      ...(changes('resources') ? { resourcesListChanged: true } : {}),
      ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
    };
    return Object.keys(wanted).length > 0 ? wanted : undefined;
  }

  function listen(): void {
    const before = current;
    const notifications = closed ? undefined : filter();
    clearTimeout(retry);
    current = undefined;
    if (notifications) {
      const controller = new AbortController();
      current = controller;
      const again = () => {
        if (closed || current !== controller) return;
        retry = setTimeout(listen, Math.min(60_000, 500 * 2 ** failures++));
        retry.unref();
      };
      peer
        .request({
          method: 'subscriptions/listen',
          params: { notifications },
          id: `listen-${++opened}`,
          timeoutMs: forever,
          signal: controller.signal,
        })
        .then(again, (error) => {
          if (error instanceof UpstreamRpcError) onWarning('changes', `It does not tell of changes: ${error.message}`);
          else again();
        });
    }
    // The new one is on its way before the old one goes, so that no change falls between them.
    before?.abort();
  }

  listen();
  return {
    subscribe(uri) {
      if (uris.has(uri)) return;
      uris.add(uri);
      listen();
    },
    unsubscribe(uri) {
      if (uris.delete(uri)) listen();
    },
    close() {
      closed = true;
      clearTimeout(retry);
      current?.abort();
    },
  };
}
