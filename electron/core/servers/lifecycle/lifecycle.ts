/** Controls how long a connection lives: stops idle servers; checks and restarts keep-alive servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FailureCode, ToolkeepError } from '../../../../shared/failure.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { Connection } from '../connection/connection.ts';
import type { Tuning } from '../types.ts';
import { newBackoff } from './backoff.ts';

/** Failures that a retry cannot fix: the user or the caller has to act first. */
export const needsUser: FailureCode[] = [
  'SECRET_MISSING',
  'CONFIG_INVALID',
  'SERVER_AUTH_REQUIRED',
  'PACKAGE_UNVERIFIED',
  'CANCELLED',
];

export interface LifecycleOptions {
  server: ServerConfig;
  /** Milliseconds without use; 0 keeps the server running. */
  idleTimeoutMs: number;
  tuning: Tuning;
  start(): Promise<unknown>;
  onIdle(): void;
  /** Called if the server is connected but no longer answers. */
  onUnresponsive(connection: Connection, reason: ToolkeepError): void;
  /** False in a crash loop. */
  mayRestart(): boolean;
}

export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #keepAlive: boolean;
  #connection: Connection | undefined;
  #inFlight = 0;
  #holds = 0;
  #lastUse = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #healthTimer: NodeJS.Timeout | undefined;
  #restarting: AbortController | undefined;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#keepAlive = options.server.lifecycle?.keepAlive === true;
  }

  requestStarted(): void {
    this.#inFlight += 1;
  }

  /** A passive request does not count as use. */
  requestEnded(isPassive: boolean): void {
    this.#inFlight -= 1;
    if (!isPassive) this.#lastUse = Date.now();
    if (!this.#idleTimer) this.#watchIdleness();
  }

  /** Whether only one request is running. */
  get hasOneRequest(): boolean {
    return this.#inFlight === 1;
  }

  /** Prevents the idle stop until the returned function is called. */
  keepRunning(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (!this.#idleTimer) this.#watchIdleness();
    };
  }

  connected(connection: Connection): void {
    this.#connection = connection;
    this.#lastUse = Date.now();
    this.#watchIdleness();
    if (this.#keepAlive && this.#options.tuning.healthIntervalMs > 0) this.#watchHealth(connection);
  }

  disconnected(): void {
    this.#connection = undefined;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    clearInterval(this.#healthTimer);
  }

  /** Call when the server has crashed or could not be started. Only a keep-alive server is restarted automatically. */
  failed(): void {
    if (!this.#keepAlive || this.#restarting) return;
    const controller = new AbortController();
    this.#restarting = controller;
    this.#restart(controller.signal)
      .catch(() => {})
      .finally(() => {
        if (this.#restarting === controller) this.#restarting = undefined;
      });
  }

  /** Call when the server is stopped intentionally. */
  cancelRestart(): void {
    this.#restarting?.abort();
    this.#restarting = undefined;
  }

  #watchIdleness(): void {
    const { idleTimeoutMs } = this.#options;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    if (!this.#connection || this.#keepAlive || idleTimeoutMs === 0 || this.#inFlight + this.#holds > 0) return;
    const leftMs = Math.max(0, this.#lastUse + idleTimeoutMs - Date.now());
    this.#idleTimer = setTimeout(() => this.#checkIdleness(), leftMs).unref();
  }

  /** Requests do not restart the timer, which would take longer than finding their last use when it ends. */
  #checkIdleness(): void {
    this.#idleTimer = undefined;
    if (this.#inFlight + this.#holds > 0) return;
    const { idleTimeoutMs, onIdle } = this.#options;
    if (Date.now() - this.#lastUse < idleTimeoutMs) this.#watchIdleness();
    else onIdle();
  }

  #watchHealth(connection: Connection): void {
    const { tuning, onUnresponsive } = this.#options;
    const method = connection.info.era === 'legacy' ? 'ping' : 'server/discover';
    this.#healthTimer = setInterval(() => {
      if (this.#inFlight > 0) return;
      connection.peer.request({ method, timeoutMs: tuning.healthIntervalMs / 2 }).catch((error: unknown) => {
        if (error instanceof ToolkeepError && error.failure.code === 'SERVER_TIMEOUT')
          onUnresponsive(connection, error);
      });
    }, tuning.healthIntervalMs);
    this.#healthTimer.unref();
  }

  async #restart(signal: AbortSignal): Promise<void> {
    const { tuning, start, mayRestart } = this.#options;
    // Counts the attempts of this restart. StartBreaker counts crashes, which delay every start.
    let backoff = newBackoff(tuning);
    for (; mayRestart(); backoff = backoff.next(undefined)) {
      await sleep(backoff.duration, undefined, { signal, ref: false });
      try {
        await start();
        return;
      } catch (error) {
        if (error instanceof ToolkeepError && needsUser.includes(error.failure.code)) return;
      }
    }
  }
}
