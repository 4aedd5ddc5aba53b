/** When a server may be started: two failed starts open the breaker, crashes slow the next start down, many stop it. */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from 'cockatiel';
import { type Failure, type FailureCode, fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import { needsSomeone } from './keeping.ts';
import type { Tuning, UpstreamState } from './types.ts';

const failuresToOpen = 2;

/** What a person or the caller has to mend: nothing was burdened by it, so the next try may come at once. */
const notTheServersFault: FailureCode[] = [...needsSomeone, 'SECRET_TIMEOUT'];

export interface StartGate {
  readonly breaker: UpstreamState['breaker'];
  /** Runs `start` through the breaker; rejects with SERVER_BREAKER_OPEN while it is open, naming the cause. */
  run<T>(start: () => Promise<T>): Promise<T>;
  crashed(failure: Failure): void;
  /** Milliseconds the next start has to wait because of recent crashes. */
  delayMs(): number;
  /** The last crash if there were too many of them: only a person restarts it now. */
  loop(): Failure | undefined;
  reset(): void;
}

export function createStartGate(server: string, tuning: Tuning): StartGate {
  let policy = newPolicy();
  let cause: Failure | undefined;
  let openedAt = 0;
  let crashes: number[] = [];
  let notBefore = 0;
  let backoff = newBackoff();

  function newPolicy() {
    const counts = (error: Error) =>
      !(error instanceof GatehouseError && notTheServersFault.includes(error.failure.code));
    const created = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: tuning.breakerOpenMs,
      breaker: new ConsecutiveBreaker(failuresToOpen),
    });
    created.onBreak(() => {
      openedAt = Date.now();
    });
    return created;
  }

  function newBackoff() {
    // Decorrelated jitter is cockatiel's default.
    return new ExponentialBackoff({ initialDelay: tuning.backoffInitialMs, maxDelay: tuning.backoffMaxMs }).next();
  }

  function recentCrashes(): number[] {
    crashes = crashes.filter((at) => Date.now() - at < tuning.crashWindowMs);
    return crashes;
  }

  return {
    get breaker() {
      if (policy.state === CircuitState.Closed) return 'closed';
      return policy.state === CircuitState.Open && Date.now() - openedAt < tuning.breakerOpenMs ? 'open' : 'half-open';
    },
    async run(start) {
      try {
        return await policy.execute(start);
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) {
          cause = toFailure(error);
          throw error;
        }
        const seconds = Math.max(1, Math.ceil((openedAt + tuning.breakerOpenMs - Date.now()) / 1000));
        const message = `"${server}" failed ${failuresToOpen} times and is left alone for ${seconds} s. The cause: ${cause?.message ?? 'unknown'}`;
        throw fail('SERVER_BREAKER_OPEN', message, { server, hint: cause?.hint });
      }
    },
    crashed(failure) {
      cause = failure;
      if (recentCrashes().length === 0) backoff = newBackoff();
      else backoff = backoff.next(undefined);
      crashes.push(Date.now());
      notBefore = Date.now() + backoff.duration;
    },
    delayMs: () => Math.max(0, notBefore - Date.now()),
    loop() {
      if (crashes.length < tuning.crashLimit) return undefined;
      const times = `${crashes.length} times within ${Math.round(tuning.crashWindowMs / 1000)} s`;
      return {
        code: 'SERVER_CRASHED',
        message: `"${server}" crashed ${times} and is not started again by itself. ${cause?.message ?? ''}`.trim(),
        hint: 'Mend it, then restart it in Gatehouse.',
        server,
      };
    },
    reset() {
      policy = newPolicy();
      crashes = [];
      notBefore = 0;
      cause = undefined;
    },
  };
}
