/** One circuit breaker per tool: three failures open it for 30 seconds, so that one bad tool stays its own trouble (row B14). */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type ICircuitBreakerOptions,
} from 'cockatiel';
import { blameless, type Failure, fail, GatehouseError, toFailure } from '../../../shared/failure.ts';
import { UpstreamRpcError } from '../upstream/upstream.ts';
import { missingCapability } from './asks.ts';
import { pageRequired } from './pages.ts';

const settings = { halfOpenAfter: 30_000, failures: 3 };

function isGuilty(error: unknown): boolean {
  if (error instanceof UpstreamRpcError) return error.code !== missingCapability && error.code !== pageRequired;
  return !(error instanceof GatehouseError && blameless.has(error.failure.code));
}

export interface ToolBreakers {
  /** Runs the call, or rejects with TOOL_BREAKER_OPEN and the last cause. */
  run<T>(server: string, tool: string, call: () => Promise<T>): Promise<T>;
  /** Forgets a server's breakers, after it was restarted or changed. */
  reset(server: string): void;
}

interface Breaker {
  policy: ReturnType<typeof circuitBreaker>;
  lastFailure?: Failure;
}

export function createToolBreakers(): ToolBreakers {
  // Only of tools whose last call failed: the others need none.
  const breakers = new Map<string, Breaker>();

  function breakerOf(key: string): Breaker {
    const known = breakers.get(key);
    if (known) return known;
    const options: ICircuitBreakerOptions = {
      halfOpenAfter: settings.halfOpenAfter,
      breaker: new ConsecutiveBreaker(settings.failures),
    };
    const made: Breaker = { policy: circuitBreaker(handleWhen(isGuilty), options) };
    breakers.set(key, made);
    return made;
  }

  return {
    async run(server, tool, call) {
      const key = `${server}::${tool}`;
      const known = breakers.get(key);
      try {
        const result = await (known ? known.policy.execute(call) : call());
        if (known?.policy.state === CircuitState.Closed) breakers.delete(key);
        return result;
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw resting(server, tool, known);
        if (!known && !isGuilty(error)) throw error;
        const breaker = known ?? breakerOf(key);
        breaker.lastFailure = toFailure(error, 'TOOL_EXECUTION_ERROR');
        // So that it counts from the first failure on.
        if (!known) await breaker.policy.execute(() => Promise.reject(error)).catch(() => undefined);
        throw error;
      }
    },
    reset(server) {
      for (const key of breakers.keys()) if (key.startsWith(`${server}::`)) breakers.delete(key);
    },
  };
}

function resting(server: string, tool: string, breaker: Breaker | undefined): Error {
  const cause = breaker?.lastFailure?.message ?? 'unknown';
  const message = `"${tool}" failed ${settings.failures} times in a row and rests for 30 seconds. Last cause: ${cause}`;
  return fail('TOOL_BREAKER_OPEN', message, { server, tool });
}
