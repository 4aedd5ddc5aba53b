/** Splits long work into slices, so that Core stays responsive. */

const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, and never in the same turn as another caller. Otherwise, the slices of
 * several jobs would add up, because Node.js runs all pending immediates before anything else.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}

/** Milliseconds of work before other work gets its turn. */
export const sliceMs = 8;

/** Returns a function to await between steps. It yields to other work once the steps have run for `ms`. */
export function createSlices(ms = sliceMs): () => Promise<void> {
  let until = performance.now() + ms;
  return async () => {
    if (performance.now() < until) return;
    await ownTurn();
    until = performance.now() + ms;
  };
}
