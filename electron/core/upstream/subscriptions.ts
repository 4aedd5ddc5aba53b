/** `subscriptions/listen`: in the modern era the only way to hear of changes. Reopened when its stream drops. */
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

export function openSubscriptions(
  { peer, info }: { peer: Peer; info: UpstreamInfo },
  onWarning: (kind: string, message: string) => void,
): Subscriptions {
  const uris = new Set<string>();
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
