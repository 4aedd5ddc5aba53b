/** Forwards the progress of one call to its client. Progress never decreases, as MCP requires. */

type Params = Record<string, unknown>;

export interface Progress {
  /** Forwards to this listener from now on; undefined stops forwarding. */
  attach(listener: ((params: Params) => void) | undefined): void;
  /** Forwards the server's notification. */
  forward(params: Params): void;
  /** The server's last notification with a number. */
  readonly latest: Params | undefined;
  /** Reports that the user is being asked. This restarts the timeout of clients that wait for progress. */
  waiting(): void;
  /** Reports that the tool is running, unless the server has reported something since the last such report. */
  running(): void;
}

/** Small enough to fit between any two steps of a server's own progress. */
const tinyStep = 1e-6;

/** `onProgress`: called when the server has reported a number. */
export function createProgress(onProgress?: () => void): Progress {
  let latest: Params | undefined;
  let listener: ((params: Params) => void) | undefined;
  let last = 0;
  /** The last value that Toolkeep itself sent. */
  let own = -1;
  let isQuiet = false;

  function report(message: string): void {
    last += tinyStep;
    own = last;
    listener?.({ progress: last, message });
  }

  return {
    get latest() {
      return latest;
    },
    attach(next) {
      listener = next;
    },
    forward(params) {
      isQuiet = false;
      const { progress } = params;
      if (typeof progress !== 'number') return listener?.(params);
      latest = params;
      onProgress?.();
      if (progress > own) {
        last = Math.max(last, progress);
        return listener?.(params);
      }
      last += tinyStep;
      own = last;
      listener?.({ ...params, progress: last });
    },
    waiting: () => report('Waiting for the user to answer.'),
    running() {
      if (isQuiet) report('The tool is running.');
      isQuiet = true;
    },
  };
}
