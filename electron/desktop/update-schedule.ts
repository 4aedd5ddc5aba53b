/** When the app looks for new versions: soon after its start, then once a day. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Checks at random times, so that installations do not all ask at once. The first check must not slow down the start. */
export function createUpdateSchedule(check: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const next = (afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      next((0.9 + Math.random() * 0.2) * dayMs);
      check();
    }, afterMs);
    timer.unref();
  };
  return {
    start: (): void => next((0.5 + Math.random()) * minuteMs),
    stop: (): void => clearTimeout(timer),
  };
}
