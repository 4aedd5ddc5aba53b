/** Long work in slices, so that Core stays responsive. */
import { setImmediate } from 'node:timers/promises';

/** Returns a function to await between steps: it lets other work run when the steps since then took `sliceMs`. */
export function createSlices(sliceMs = 8): () => Promise<void> {
  let until = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < until) return;
    await setImmediate();
    until = performance.now() + sliceMs;
  };
}
