/** The time that the user has to answer a question. It is paused while the user cannot see the question. */

export interface QuestionClock {
  /** Epoch milliseconds; later after each pause. */
  expiresAt(): number;
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Starts at once unless `isPaused`. Calls `onExpiry` after `timeoutMs`, not counting pauses. */
export function createQuestionClock(timeoutMs: number, isPaused: boolean, onExpiry: () => void): QuestionClock {
  let expiresAt = Date.now() + timeoutMs;
  let pausedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = setTimeout(onExpiry, Math.max(0, expiresAt - Date.now()));
  };
  const clock: QuestionClock = {
    expiresAt: () => expiresAt,
    pause() {
      pausedAt ??= Date.now();
      clearTimeout(timer);
    },
    resume() {
      if (pausedAt === undefined) return;
      expiresAt += Date.now() - pausedAt;
      pausedAt = undefined;
      run();
    },
    stop: () => clearTimeout(timer),
  };
  if (isPaused) clock.pause();
  else run();
  return clock;
}
