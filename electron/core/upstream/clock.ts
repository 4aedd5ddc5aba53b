/** The time a request may take: restarted by progress up to a ceiling, standing still while a person is asked. */

/** Progress may prolong a request up to this multiple of its timeout. */
const ceilingFactor = 10;

/** The time a tool call may take: `MCP_TOOL_TIMEOUT` in milliseconds, else 60 s, never below 5 s (row B3). */
export function toolTimeoutMs(env: Readonly<Record<string, string | undefined>>): number {
  return Math.max(5_000, Number(env.MCP_TOOL_TIMEOUT) || 60_000);
}

export interface Clock {
  /** The server gave a sign of life. */
  restart(): void;
  /** May be nested: it runs again when every pause has been resumed. */
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Starts at once; `onTimeout` is called at most once. */
export function createClock(timeoutMs: number, onTimeout: () => void): Clock {
  let deadline = Date.now() + timeoutMs * ceilingFactor;
  let timer: NodeJS.Timeout | undefined;
  let pauses = 0;
  let pausedAt = 0;
  let stopped = false;

  function restart(): void {
    clearTimeout(timer);
    if (stopped || pauses > 0) return;
    timer = setTimeout(onTimeout, Math.max(0, Math.min(timeoutMs, deadline - Date.now())));
  }

  restart();
  return {
    restart,
    pause() {
      if (pauses++ === 0) pausedAt = Date.now();
      clearTimeout(timer);
    },
    resume() {
      if (--pauses > 0) return;
      deadline += Date.now() - pausedAt;
      restart();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
