/**
 * One circuit breaker per tool: three crashes, timeouts or lost connections in a row open it for 30 seconds. A broken tool
 * does not affect others.
 */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type ICircuitBreakerOptions,
} from 'cockatiel';
import { blameless, type Failure, fail, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { parseToolKey, toolKey } from '../../../shared/tool-key.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';

const settings = { halfOpenAfter: 30_000, failures: 3 };

/** A server that answers with an error works. Many report a wrong path or a missing permission in this way. */
function isFailure(error: unknown): boolean {
  return !(error instanceof RpcError) && !(error instanceof ToolkeepError && blameless.has(error.failure.code));
}

interface Called {
  readonly server: string;
  readonly tool: string;
}

interface Breaker {
  policy: ReturnType<typeof circuitBreaker>;
  lastFailure?: Failure;
}

export function createToolBreakers() {
  // Only tools whose last call failed have a breaker.
  const breakers = new Map<string, Breaker>();

  function breakerOf(key: string): Breaker {
    const known = breakers.get(key);
    if (known) return known;
    const options: ICircuitBreakerOptions = {
      halfOpenAfter: settings.halfOpenAfter,
      breaker: new ConsecutiveBreaker(settings.failures),
    };
    const made: Breaker = { policy: circuitBreaker(handleWhen(isFailure), options) };
    breakers.set(key, made);
    return made;
  }

  return {
    /** Runs the call, or rejects with TOOL_BREAKER_OPEN and the last failure. */
    async run<C extends Called, T>(called: C, call: (called: C) => Promise<T>): Promise<T> {
      const { server, tool } = called;
      const key = toolKey(server, tool);
      const known = breakers.get(key);
      try {
        const result = await (known ? known.policy.execute(() => call(called)) : call(called));
        if (known?.policy.state === CircuitState.Closed) breakers.delete(key);
        return result;
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw breakerOpen(server, tool, known);
        if (!known && !isFailure(error)) throw error;
        const breaker = known ?? breakerOf(key);
        breaker.lastFailure = toFailure(error, 'TOOL_EXECUTION_ERROR');
        // Count this failure in the new breaker, too.
        if (!known) await breaker.policy.execute(() => Promise.reject(error)).catch(() => undefined);
        throw error;
      }
    },
    /** Closes the breakers of a server's tools. */
    reset(server: string): void {
      for (const key of breakers.keys()) if (parseToolKey(key).server === server) breakers.delete(key);
    },
  };
}

function breakerOpen(server: string, tool: string, breaker: Breaker | undefined): Error {
  const cause = breaker?.lastFailure?.message ?? 'unknown';
  const message = `"${tool}" failed ${settings.failures} times in a row and is paused for 30 seconds. Last failure: ${cause}`;
  return fail('TOOL_BREAKER_OPEN', message, { server, tool });
}
