/** Combines the lines of one event loop turn, so a burst of messages needs only one system call. */
import type { Writable } from 'node:stream';

/** A line including its newline: a string, or the pieces of a long one. */
export type Line = string | (string | Buffer)[];

export type LineWriter = ReturnType<typeof createLineWriter>;

export function createLineWriter(stream: Writable) {
  let pending = '';
  let callbacks: ((error?: Error | null) => void)[] = [];

  /** Writes pending lines immediately. Call this before ending the stream. */
  function flush(): void {
    if (pending === '') return;
    const [text, written] = [pending, callbacks];
    pending = '';
    callbacks = [];
    stream.write(text, (error) => {
      for (const callback of written) callback(error);
    });
  }

  return {
    /** Calls `written` when the line has been passed to the system, or with the error if that failed. */
    write(line: Line, written?: (error?: Error | null) => void): void {
      if (typeof line === 'string') {
        // Runs after all input received so far has been handled, including the promises that it settled.
        if (pending === '') setImmediate(flush);
        pending += line;
        if (written) callbacks.push(written);
        return;
      }
      flush();
      stream.cork();
      for (const [at, piece] of line.entries()) stream.write(piece, at === line.length - 1 ? written : undefined);
      stream.uncork();
    },
    flush,
  };
}
