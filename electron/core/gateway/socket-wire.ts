/** A byte stream as a Wire: one JSON frame per line. The command line talks to the running Core over it. */
import type { Duplex } from 'node:stream';
import type { Wire } from '../../../shared/wire.ts';
import { lineSplitter } from './stream-transport.ts';

/** Takes over `stream`. A line that is not JSON, or too long, closes it. */
export function socketWire(stream: Duplex): Wire {
  const waiting: unknown[] = [];
  const closers: (() => void)[] = [];
  let listener: ((frame: unknown) => void) | undefined;
  let closed = false;
  const split = lineSplitter((line) => {
    const frame: unknown = JSON.parse(line);
    if (listener) listener(frame);
    else waiting.push(frame);
  });
  stream.on('data', (chunk: Buffer) => {
    try {
      split(chunk);
    } catch {
      stream.destroy();
    }
  });
  // It was paused after the hello.
  stream.resume();
  // Whatever went wrong, the end of the stream says it.
  stream.on('error', () => undefined);
  stream.on('end', () => stream.end());
  stream.once('close', () => {
    closed = true;
    for (const closer of closers) closer();
  });
  return {
    send(frame) {
      if (!closed) stream.write(`${JSON.stringify(frame)}\n`);
    },
    onFrame(next) {
      listener = next;
      for (const frame of waiting.splice(0)) next(frame);
    },
    onClose(closer) {
      if (closed) closer();
      else closers.push(closer);
    },
    close: () => void stream.destroy(),
  };
}
