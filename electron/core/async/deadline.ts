/** Limits how long work may take, and lets several callers share one run. */
import { fail } from '../../../shared/failure.ts';
import { abortable } from './abort.ts';
import { startPausableTimer } from './pausable-timer.ts';

/** Awaits something outside the work's control, such as the user's answer, and pauses the timeout meanwhile. */
export type PauseWhile = <R>(wait: Promise<R>) => Promise<R>;

/**
 * Runs `work` with a signal that aborts after `timeoutMs` or when `outer` aborts. Settles at that point even if the work
 * ignores the signal. Rejects with `timeoutError()` after the timeout, or with CANCELLED if `outer` aborts.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  timeoutError: () => Error,
  work: (signal: AbortSignal, pauseWhile: PauseWhile) => T | Promise<T>,
): Promise<T> {
  if (outer?.aborted) throw cancelled();
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (error: Error) => {
    reject(error);
    controller.abort(error);
  };
  // If the work fails first, nothing awaits this promise.
  ended.catch(() => {});
  const timer = startPausableTimer({ timeoutMs, onTimeout: () => end(timeoutError()) });
  const pauseWhile: PauseWhile = async (wait) => {
    timer.pause();
    try {
      return await wait;
    } finally {
      timer.resume();
    }
  };
  const onAbort = () => end(cancelled());
  outer?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([Promise.resolve().then(() => work(controller.signal, pauseWhile)), ended]);
  } finally {
    timer.stop();
    outer?.removeEventListener('abort', onAbort);
  }
}

function cancelled(): Error {
  return fail('CANCELLED', 'The caller canceled the work.');
}

/** One run of work that several callers wait for. */
export interface SharedRun<T> {
  /** Waits for the result. A caller whose signal aborts gets CANCELLED; when the last one leaves, the run aborts. */
  join(signal?: AbortSignal): Promise<T>;
}

/** Starts `work` once for all callers of `join`. */
export function shareRun<T>(work: (signal: AbortSignal) => Promise<T>, onEnd: () => void): SharedRun<T> {
  const controller = new AbortController();
  let waiting = 0;
  const result = work(controller.signal).finally(onEnd);
  result.catch(() => {});
  return {
    join(signal) {
      waiting += 1;
      return abortable(result, signal, () => {
        waiting -= 1;
        if (waiting === 0) controller.abort();
        return cancelled();
      });
    },
  };
}
