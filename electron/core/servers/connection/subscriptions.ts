/**
 * Notifications that a server sends without a request: about subscribed resources, in either era and across restarts;
 * and, in the modern era, the `subscriptions/listen` stream, which carries all change notifications and is reopened
 * when it drops.
 */

import { maxTimerMs } from '../../../../shared/max-timer.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import type { ServerInfo } from '../types.ts';
import type { JsonRpcPeer } from './json-rpc-peer.ts';

const maxRetryMs = 60_000;

type Live = { peer: JsonRpcPeer; info: ServerInfo };

/** Subscribes on a new connection to the resources that the previous connection was subscribed to. */
export function resubscribe(
  { peer, info }: Live,
  uris: ReadonlySet<string>,
  onNotification: (method: string, params: Record<string, unknown>) => void,
): void {
  for (const uri of uris) {
    if (info.era === 'legacy')
      peer.request({ method: 'resources/subscribe', params: { uri }, timeoutMs: 30_000 }).catch(() => undefined);
    // The resource may have changed while the server was not connected.
    onNotification('notifications/resources/updated', { uri });
  }
}

/** The `subscriptions/listen` stream of one modern connection. */
export class SubscriptionStream {
  readonly #live: Live;
  readonly #onWarning: (kind: string, message: string) => void;
  readonly #uris: Set<string>;
  #current: AbortController | undefined;
  #isClosed = false;
  #opened = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #failures = 0;

  /** `uris` are the subscribed resources; the set is kept up to date. */
  constructor(live: Live, onWarning: (kind: string, message: string) => void, uris: Set<string>) {
    this.#live = live;
    this.#onWarning = onWarning;
    this.#uris = uris;
    this.#listen();
  }

  /** Replaces `resources/subscribe`, which does not exist in the modern era. */
  subscribe(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#listen();
  }

  unsubscribe(uri: string): void {
    if (this.#uris.delete(uri)) this.#listen();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#current?.abort();
  }

  #filter(): Record<string, unknown> | undefined {
    const { capabilities } = this.#live.info;
    const canChange = (kind: string) =>
      (capabilities[kind] as { listChanged?: boolean } | undefined)?.listChanged === true;
    const filter = {
      ...(canChange('tools') && { toolsListChanged: true }),
      ...(canChange('prompts') && { promptsListChanged: true }),
      ...(canChange('resources') && { resourcesListChanged: true }),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
    return Object.keys(filter).length > 0 ? filter : undefined;
  }

  #listen(): void {
    const previous = this.#current;
    const notifications = this.#isClosed ? undefined : this.#filter();
    clearTimeout(this.#retryTimer);
    this.#current = undefined;
    if (notifications) {
      const controller = new AbortController();
      this.#current = controller;
      this.#open(notifications, controller);
    }
    // Request the new stream before closing the old one, so that no change is missed.
    previous?.abort();
  }

  #open(notifications: Record<string, unknown>, controller: AbortController): void {
    const retry = () => {
      if (this.#isClosed || this.#current !== controller) return;
      this.#retryTimer = setTimeout(() => this.#listen(), Math.min(maxRetryMs, 500 * 2 ** this.#failures++));
      this.#retryTimer.unref();
    };
    this.#opened += 1;
    this.#live.peer
      .request({
        method: 'subscriptions/listen',
        params: { notifications },
        id: `listen-${this.#opened}`,
        // A subscription does not time out.
        timeoutMs: maxTimerMs,
        signal: controller.signal,
      })
      .then(retry, (error) => {
        if (error instanceof RpcError) this.#onWarning('changes', `Change notifications failed: ${error.message}`);
        else retry();
      });
  }
}
