/** Forwards the progress of one call to its client. Progress never decreases, as MCP requires. */

type Params = Record<string, unknown>;

export interface Progress {
  /** Forwards to this listener from now on; undefined stops forwarding. */
  attach(listener: ((params: Params) => void) | undefined): void;
  /** Forwards the server's notification. */
  forward(params: Params): void;
  /** Reports that the user is being asked. This restarts the timeout of clients that wait for progress. */
  waiting(): void;
}

/** Small enough to fit between any two steps of a server's own progress. */
const tinyStep = 1e-6;

export function createProgress(): Progress {
  let listener: ((params: Params) => void) | undefined;
  let last = 0;
  /** The last value that Gatehouse itself sent. */
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
      listener?.({ progress: last, message: 'Waiting for the user to answer.' });
    },
  };
}
