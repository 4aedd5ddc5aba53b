/** One circuit breaker per tool: three failures open it for 30 seconds, so that one bad tool stays its own trouble (row B14). */
import {
  BrokenCircuitError,
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

export function createToolBreakers(): ToolBreakers {
  const breakers = new Map<string, { policy: ReturnType<typeof circuitBreaker>; lastFailure?: Failure }>();

  function breakerOf(key: string) {
    const known = breakers.get(key);
    if (known) return known;
    const options: ICircuitBreakerOptions = {
      halfOpenAfter: settings.halfOpenAfter,
      breaker: new ConsecutiveBreaker(settings.failures),
    };
    const made = { policy: circuitBreaker(handleWhen(isGuilty), options) };
    breakers.set(key, made);
    return made;
  }

  return {
    async run(server, tool, call) {
      const entry: ReturnType<typeof breakerOf> & { lastFailure?: Failure } = breakerOf(`${server}::${tool}`);
      try {
        return await entry.policy.execute(call);
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) {
          entry.lastFailure = toFailure(error, 'TOOL_EXECUTION_ERROR');
          throw error;
        }
        const cause = entry.lastFailure?.message ?? 'unknown';
        throw fail(
          'TOOL_BREAKER_OPEN',
          `"${tool}" failed ${settings.failures} times in a row and rests for 30 seconds. Last cause: ${cause}`,
          { server, tool },
        );
      }
    },
    reset(server) {
      for (const key of breakers.keys()) if (key.startsWith(`${server}::`)) breakers.delete(key);
    },
  };
}
