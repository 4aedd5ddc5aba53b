/** Forwards the progress of one call to its client. Progress never decreases, as MCP requires. */

type Params = Record<string, unknown>;

/** Small enough to fit between any two steps of a server's own progress. */
const tinyStep = 1e-6;

export class Progress {
  /** The server's last notification with a number. */
  latest: Params | undefined;
  readonly #onProgress: (() => void) | undefined;
  #listener: ((params: Params) => void) | undefined;
  #last = 0;
  /** The last value that Toolkeep itself sent. */
  #own = -1;
  #isQuiet = false;

  /** `onProgress`: called when the server has reported a number. */
  constructor(onProgress?: () => void) {
    this.#onProgress = onProgress;
  }

  /** Forwards to this listener from now on; undefined stops forwarding. */
  attach(listener: ((params: Params) => void) | undefined): void {
    this.#listener = listener;
  }

  /** Forwards the server's notification. */
  forward(params: Params): void {
    this.#isQuiet = false;
    const { progress } = params;
    if (typeof progress !== 'number') {
      this.#listener?.(params);
      return;
    }
    this.latest = params;
    this.#onProgress?.();
    if (progress > this.#own) {
      this.#last = Math.max(this.#last, progress);
      this.#listener?.(params);
      return;
    }
    this.#last += tinyStep;
    this.#own = this.#last;
    this.#listener?.({ ...params, progress: this.#last });
  }

  /** Reports that the user is being asked. This restarts the timeout of clients that wait for progress. */
  waiting(): void {
    this.#report('Waiting for the user to answer.');
  }

  /** Reports that the tool is running, unless the server has reported something since the last such report. */
  running(): void {
    if (this.#isQuiet) this.#report('The tool is running.');
    this.#isQuiet = true;
  }

  #report(message: string): void {
    this.#last += tinyStep;
    this.#own = this.#last;
    this.#listener?.({ progress: this.#last, message });
  }
}
