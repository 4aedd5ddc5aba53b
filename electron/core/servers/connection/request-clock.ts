/**
 * Limits how long a request to a server may take. Progress extends the time up to a limit, and waits for the user pause
 * it.
 */
import { type PausableTimer, startPausableTimer } from '../../async/pausable-timer.ts';

/** Progress may extend a request to this multiple of its timeout. */
const limitFactor = 10;

/** Timeout of a tool call: `MCP_TOOL_TIMEOUT` in milliseconds, 60 s by default, at least 5 s. */
export function toolTimeoutMs(env: Readonly<Record<string, string | undefined>>): number {
  return Math.max(5_000, Number(env.MCP_TOOL_TIMEOUT) || 60_000);
}

/** Starts immediately and calls `onTimeout` at most once. After a pause, the server gets a full interval again. */
export function createRequestClock(timeoutMs: number, onTimeout: () => void): PausableTimer {
  const timer = startPausableTimer({ timeoutMs, limitMs: timeoutMs * limitFactor, onTimeout });
  return {
    ...timer,
    resume() {
      timer.resume();
      timer.restart();
    },
  };
}
