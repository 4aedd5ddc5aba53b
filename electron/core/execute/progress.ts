/** Progress of one call, to whichever client waits for it now; never backwards, as the protocol demands. */

type Params = Record<string, unknown>;

export interface Progress {
  /** From now on to this client; undefined for nobody. */
  attach(listener: ((params: Params) => void) | undefined): void;
  /** What the server says. */
  forward(params: Params): void;
  /** A person is being asked: keeps the call alive at clients that take progress for a sign of life. */
  waiting(): void;
}

/** Small enough to come between any two steps of a server's own count. */
const tinyStep = 1e-6;

export function createProgress(): Progress {
  let listener: ((params: Params) => void) | undefined;
  let last = 0;
  /** The last value that was ours. */
  let own = -1;
  return {
    attach(next) {
      listener = next;
    },
    forward(params) {
      const { progress } = params;
      if (typeof progress !== 'number') return listener?.(params);
      if (progress > own) {
        last = Math.max(last, progress);
        return listener?.(params);
      }
      last += tinyStep;
      own = last;
      listener?.({ ...params, progress: last });
    },
    waiting() {
      last += tinyStep;
      own = last;
      listener?.({ progress: last, message: 'Waiting for the person to answer.' });
    },
  };
}
