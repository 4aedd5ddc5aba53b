/** Combines many calls into one. */

/** Returns a function that runs `run` once, `ms` after its first call. The timer does not keep the process running. */
export function batched(run: () => void, ms: number): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      run();
    }, ms).unref();
  };
}
