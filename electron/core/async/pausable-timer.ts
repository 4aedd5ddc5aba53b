/** A timeout that can be paused while the user answers a question, and extended while the work reports progress. */

export type PausableTimer = ReturnType<typeof startPausableTimer>;

export interface PausableTimerOptions {
  timeoutMs: number;
  /** Maximum total time, including restarts but not pauses. Defaults to `timeoutMs`. */
  limitMs?: number;
  /** Called at most once. */
  onTimeout(): void;
}

/** Returns a timer that is already running. */
export function startPausableTimer({ timeoutMs, limitMs = timeoutMs, onTimeout }: PausableTimerOptions) {
  const startedAt = Date.now();
  let pausedMs = 0;
  let pausedAt = 0;
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Restarts the interval from the beginning, but never extends it past the overall limit. */
  function restart(): void {
    if (isStopped || pauses > 0) return;
    clearTimeout(timer);
    const leftMs = limitMs - (Date.now() - startedAt - pausedMs);
    timer = setTimeout(onTimeout, Math.max(0, Math.min(timeoutMs, leftMs)));
  }

  restart();
  return {
    restart,
    /** Pauses nest: once every pause has had its `resume`, the interval restarts. */
    pause(): void {
      if (pauses === 0) pausedAt = Date.now();
      pauses += 1;
      clearTimeout(timer);
    },
    resume(): void {
      pauses -= 1;
      if (pauses > 0) return;
      pausedMs += Date.now() - pausedAt;
      restart();
    },
    /** Stops the timer permanently. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
