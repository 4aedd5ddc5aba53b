/** The time that the user has to answer a question. It is paused while the user cannot see the question. */

export type QuestionClock = ReturnType<typeof createQuestionClock>;

/** Starts at once unless `isPaused`. Calls `onExpiry` after `timeoutMs`, not counting pauses. */
export function createQuestionClock(timeoutMs: number, isPaused: boolean, onExpiry: () => void) {
  let expiresAt = Date.now() + timeoutMs;
  let pausedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = setTimeout(onExpiry, Math.max(0, expiresAt - Date.now()));
  };
  const clock = {
    /** Epoch milliseconds; later after each pause. */
    expiresAt: (): number => expiresAt,
    pause(): void {
      pausedAt ??= Date.now();
      clearTimeout(timer);
    },
    resume(): void {
      if (pausedAt === undefined) return;
      expiresAt += Date.now() - pausedAt;
      pausedAt = undefined;
      run();
    },
    stop: (): void => clearTimeout(timer),
  };
  if (isPaused) clock.pause();
  else run();
  return clock;
}
