/** Bounds work in time, and lets callers share work that is under way. */
import { fail } from '../../../shared/failure.ts';

/**
 * Runs `work` with a signal that aborts after `timeoutMs` or with `outer`, and settles no later than that, whether or not
 * the work heeds the signal. Throws `tooLate()` for the timeout, CANCELLED for `outer`.
 */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  tooLate: () => Error,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  if (outer?.aborted) throw cancelled();
  const stop = new AbortController();
  let give: (error: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    give = (error) => {
      reject(error);
      stop.abort(error);
    };
  });
  // Nobody may be listening when the work fails first.
  ended.catch(() => {});
  const timer = setTimeout(() => give(tooLate()), timeoutMs);
  const onAbort = () => give(cancelled());
  outer?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([Promise.resolve().then(() => work(stop.signal)), ended]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

function cancelled(): Error {
  return fail('CANCELLED', 'The work was cancelled by the one who asked for it.');
}

/** One run of something that several callers wait for. */
export interface SharedRun<T> {
  /** Waits with the others. A caller whose signal aborts leaves with CANCELLED; the last to leave cancels the run. */
  join(signal?: AbortSignal): Promise<T>;
}

/** Starts `work` once for all who join. */
export function share<T>(work: (signal: AbortSignal) => Promise<T>, onEnd: () => void): SharedRun<T> {
  const stop = new AbortController();
  let waiting = 0;
  const result = work(stop.signal).finally(onEnd);
  result.catch(() => {});
  return {
    join(signal) {
      waiting += 1;
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          waiting -= 1;
          if (waiting === 0) stop.abort();
          reject(cancelled());
        };
        if (signal?.aborted) return leave();
        signal?.addEventListener('abort', leave, { once: true });
        result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
      });
    },
  };
}
