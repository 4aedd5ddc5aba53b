/** How long a connection is kept: stopped when idle, checked and brought back when it is to be kept alive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ExponentialBackoff } from 'cockatiel';
import { type FailureCode, GatehouseError } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import type { Connection } from './connection.ts';
import type { Tuning } from './types.ts';

/** Trying again by itself would not help: a person or the caller has to do something first. */
export const needsSomeone: FailureCode[] = ['SECRET_MISSING', 'CONFIG_INVALID', 'SERVER_AUTH_REQUIRED', 'CANCELLED'];

export interface KeepingOptions {
  server: ServerConfig;
  /** Milliseconds without use; 0 keeps it running. */
  idleTimeoutMs: number;
  tuning: Tuning;
  start(): Promise<unknown>;
  onIdle(): void;
  /** It is connected, but does not answer any more. */
  onDeaf(connection: Connection, reason: GatehouseError): void;
  /** False in a crash loop. */
  mayRevive(): boolean;
}

export interface Keeping {
  /** A request begins; call the result at its end. A passive one does not count as use, but is not cut off either. */
  busy(passive: boolean): () => void;
  /** Somebody relies on it without asking anything; call the result when that ends. */
  hold(): () => void;
  connected(connection: Connection): void;
  disconnected(): void;
  /** It was lost or could not be started. Only a keep-alive server is started again by itself. */
  failed(): void;
  /** It was stopped on purpose. */
  giveUp(): void;
}

export function createKeeping(options: KeepingOptions): Keeping {
  const { server, idleTimeoutMs, tuning } = options;
  const keepAlive = server.lifecycle?.keepAlive === true;
  let connection: Connection | undefined;
  let inFlight = 0;
  let holds = 0;
  let lastUse = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let healthTimer: NodeJS.Timeout | undefined;
  let revival: AbortController | undefined;

  function watchIdleness(): void {
    clearTimeout(idleTimer);
    if (!connection || keepAlive || idleTimeoutMs === 0 || inFlight + holds > 0) return;
    idleTimer = setTimeout(options.onIdle, Math.max(0, lastUse + idleTimeoutMs - Date.now()));
    idleTimer.unref();
  }

  /** A server that no longer answers is given up, which starts it anew. */
  function watchHealth(made: Connection): void {
    const method = made.info.era === 'legacy' ? 'ping' : 'server/discover';
    healthTimer = setInterval(() => {
      if (inFlight > 0) return;
      made.peer.request({ method, timeoutMs: tuning.healthIntervalMs / 2 }).catch((error: unknown) => {
        if (error instanceof GatehouseError && error.failure.code === 'SERVER_TIMEOUT') options.onDeaf(made, error);
      });
    }, tuning.healthIntervalMs);
    healthTimer.unref();
  }

  async function revive(signal: AbortSignal): Promise<void> {
    // With its jitter: servers that went away together must not all come back at the same moment.
    const policy = { initialDelay: tuning.backoffInitialMs, maxDelay: tuning.backoffMaxMs };
    let backoff = new ExponentialBackoff(policy).next();
    for (; options.mayRevive(); backoff = backoff.next(undefined)) {
      await sleep(backoff.duration, undefined, { signal, ref: false });
      try {
        await options.start();
        return;
      } catch (error) {
        if (error instanceof GatehouseError && needsSomeone.includes(error.failure.code)) return;
      }
    }
  }

  return {
    busy(passive) {
      inFlight += 1;
      clearTimeout(idleTimer);
      return () => {
        inFlight -= 1;
        if (!passive) lastUse = Date.now();
        watchIdleness();
      };
    },
    hold() {
      holds += 1;
      clearTimeout(idleTimer);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        watchIdleness();
      };
    },
    connected(made) {
      connection = made;
      lastUse = Date.now();
      watchIdleness();
      if (keepAlive) watchHealth(made);
    },
    disconnected() {
      connection = undefined;
      clearTimeout(idleTimer);
      clearInterval(healthTimer);
    },
    failed() {
      if (!keepAlive || revival) return;
      const controller = new AbortController();
      revival = controller;
      revive(controller.signal)
        .catch(() => {})
        .finally(() => {
          if (revival === controller) revival = undefined;
        });
    },
    giveUp() {
      revival?.abort();
      revival = undefined;
    },
  };
}
