/** Combines many calls into few. */

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

/** Returns a function that calls `run` with a key at once, and calls within `ms` after that as one call, when they are over. */
export function joined<K>(run: (key: K) => void, ms: number): (key: K) => void {
  /** The keys of recent calls, and whether another call followed. */
  const recent = new Map<K, boolean>();

  function call(key: K): void {
    if (recent.has(key)) return void recent.set(key, true);
    recent.set(key, false);
    run(key);
    setTimeout(() => {
      const hasFollowed = recent.get(key);
      recent.delete(key);
      if (hasFollowed) call(key);
    }, ms).unref();
  }

  return call;
}
