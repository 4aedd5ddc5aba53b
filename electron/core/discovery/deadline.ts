/** Bounds work in time, and lets callers share work that is under way. */
import { fail } from '../../../shared/failure.ts';

/** Waits for something that is not the work's to hurry, a person's answer: the clock stands still meanwhile. */
export type StandStill = <R>(wait: Promise<R>) => Promise<R>;

/**
 * Runs `work` with a signal that aborts after `timeoutMs` or with `outer`, and settles no later than that, whether or not
 * the work heeds the signal. Throws `tooLate()` for the timeout, CANCELLED for `outer`.
 */
export async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  tooLate: () => Error,
  work: (signal: AbortSignal, standStill: StandStill) => T | Promise<T>,
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
  let leftMs = timeoutMs;
  let runsSince = Date.now();
  let waits = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    runsSince = Date.now();
    timer = setTimeout(() => give(tooLate()), Math.max(0, leftMs));
  };
  const standStill: StandStill = async (wait) => {
    if (waits === 0) {
      clearTimeout(timer);
      leftMs -= Date.now() - runsSince;
    }
    waits += 1;
    try {
      return await wait;
    } finally {
      waits -= 1;
      if (waits === 0 && !isOver) run();
    }
  };
  run();
  const onAbort = () => give(cancelled());
  outer?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([Promise.resolve().then(() => work(stop.signal, standStill)), ended]);
  } finally {
    isOver = true;
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
