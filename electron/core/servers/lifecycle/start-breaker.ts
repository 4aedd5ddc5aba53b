/**
 * Decides when a server may start. Two failed starts open the breaker, crashes delay the next start, and a crash loop
 * stops the server.
 */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
} from 'cockatiel';
import {
  type Failure,
  type FailureCode,
  fail,
  lockedSecret,
  ToolkeepError,
  toFailure,
} from '../../../../shared/failure.ts';
import type { ServerState, Tuning } from '../types.ts';
import { newBackoff } from './backoff.ts';
import { needsUser } from './lifecycle.ts';

const failuresToOpen = 2;

/**
 * Failures that do not count against the server. The user or the caller has to act, so the next attempt may follow
 * immediately.
 */
const notCounted: readonly FailureCode[] = [...needsUser, ...lockedSecret];

export class StartBreaker {
  readonly #server: string;
  readonly #tuning: Tuning;
  #policy: ReturnType<typeof circuitBreaker>;
  #cause: Failure | undefined;
  #openedAt = 0;
  /** Times of the crashes within the window, in epoch milliseconds. */
  #crashes: number[] = [];
  #notBefore = 0;
  #backoff: IBackoff<unknown>;

  constructor(server: string, tuning: Tuning) {
    this.#server = server;
    this.#tuning = tuning;
    this.#policy = this.#newPolicy();
    this.#backoff = newBackoff(tuning);
  }

  get state(): ServerState['breaker'] {
    if (this.#policy.state === CircuitState.Closed) return 'closed';
    const isOpen = this.#policy.state === CircuitState.Open && Date.now() - this.#openedAt < this.#tuning.breakerOpenMs;
    return isOpen ? 'open' : 'half-open';
  }

  /** Runs `start`; rejects with SERVER_BREAKER_OPEN, naming the cause, while the breaker is open. */
  async run<T>(start: () => Promise<T>): Promise<T> {
    try {
      return await this.#policy.execute(start);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) {
        this.#cause = toFailure(error);
        throw error;
      }
      const server = this.#server;
      const seconds = Math.max(1, Math.ceil((this.#openedAt + this.#tuning.breakerOpenMs - Date.now()) / 1000));
      const message = `"${server}" failed to start ${failuresToOpen} times; the next attempt is possible in ${seconds} s. Cause: ${this.#cause?.message ?? 'unknown'}`;
      // The hint about a crash speaks of the next call, which does not start the server now.
      const hint = this.#cause?.code === 'SERVER_CRASHED' ? undefined : this.#cause?.hint;
      throw fail('SERVER_BREAKER_OPEN', message, { server, hint });
    }
  }

  crashed(failure: Failure): void {
    this.#cause = failure;
    const { crashWindowMs } = this.#tuning;
    this.#crashes = this.#crashes.filter((at) => Date.now() - at < crashWindowMs);
    this.#backoff = this.#crashes.length === 0 ? newBackoff(this.#tuning) : this.#backoff.next(undefined as never);
    this.#crashes.push(Date.now());
    this.#notBefore = Date.now() + this.#backoff.duration;
  }

  /** How long the next start has to wait because of recent crashes, in milliseconds. */
  delayMs(): number {
    return Math.max(0, this.#notBefore - Date.now());
  }

  /** The failure to report in a crash loop, which only the user can end. */
  crashLoop(): Failure | undefined {
    const { crashLimit, crashWindowMs } = this.#tuning;
    if (this.#crashes.length < crashLimit) return undefined;
    const times = `${this.#crashes.length} times within ${Math.round(crashWindowMs / 1000)} s`;
    return {
      code: 'SERVER_CRASHED',
      message:
        `"${this.#server}" crashed ${times} and will not be restarted automatically. ${this.#cause?.message ?? ''}`.trim(),
      hint: 'Fix the cause, then restart the server in Toolkeep.',
      server: this.#server,
    };
  }

  reset(): void {
    this.#policy = this.#newPolicy();
    this.#crashes = [];
    this.#notBefore = 0;
    this.#cause = undefined;
  }

  #newPolicy() {
    const counts = (error: Error) => !(error instanceof ToolkeepError && notCounted.includes(error.failure.code));
    const policy = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: this.#tuning.breakerOpenMs,
      breaker: new ConsecutiveBreaker(failuresToOpen),
    });
    policy.onBreak(() => {
      this.#openedAt = Date.now();
    });
    return policy;
  }
}
