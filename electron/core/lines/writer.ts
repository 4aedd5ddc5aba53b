/** Writes lines that come within one turn of the event loop together: a burst of messages costs one system call, not one each. */
import type { Writable } from 'node:stream';

/** A line with its end: a text, or the pieces of a long one. */
export type Line = string | (string | Buffer)[];

export interface LineWriter {
  /** `written` is called once the line has been handed to the system, or with why it could not be. */
  write(line: Line, written?: (error?: Error | null) => void): void;
  /** Writes at once what waits; before the stream is ended. */
  flush(): void;
}

export function createLineWriter(stream: Writable): LineWriter {
  let waiting = '';
  let callbacks: ((error?: Error | null) => void)[] = [];

  function flush(): void {
    if (waiting === '') return;
    const [text, told] = [waiting, callbacks];
    waiting = '';
    callbacks = [];
    stream.write(text, (error) => {
      for (const tell of told) tell(error);
    });
  }

  return {
    write(line, written) {
      if (typeof line === 'string') {
        // It runs when all that had come in by now has had its say: many connections, and the promises that they settled.
        if (waiting === '') setImmediate(flush);
        waiting += line;
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
