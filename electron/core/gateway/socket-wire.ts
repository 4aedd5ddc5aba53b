/** A byte stream as a Wire: one JSON frame per line. The command line talks to the running Core over it. */
import type { Duplex } from 'node:stream';
import type { Wire } from '../../../shared/wire.ts';
import { createLineSplitter } from '../lines/lines.ts';
import { maxMessageBytes } from './stream-transport.ts';

/** Takes over `stream`. A line that is not JSON, or too long, closes it. */
export function socketWire(stream: Duplex): Wire {
  const waiting: unknown[] = [];
  const closers: (() => void)[] = [];
  let listener: ((frame: unknown) => void) | undefined;
  let closed = false;
  const splitter = createLineSplitter(maxMessageBytes, {
    line(line) {
      const frame = parseFrame(line);
      if (frame === undefined) stream.destroy();
      else if (listener) listener(frame);
      else waiting.push(frame);
    },
    tooLong: () => void stream.destroy(),
  });
  stream.on('data', splitter.push);
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

function parseFrame(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}
