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

/** Returns a function to await between steps. It yields to other work once the steps have run for `sliceMs`. */
export function createSlices(sliceMs = 8): () => Promise<void> {
  let until = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < until) return;
    await ownTurn();
    until = performance.now() + sliceMs;
  };
}
