/** Waiting for what others share, with the right to stop waiting. */

/** As `promise`, but rejects with `reason()` once `signal` aborts; the work behind the promise goes on. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, reason: () => Error): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) return Promise.reject(reason());
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(reason());
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
