/** A byte stream as a Wire: one JSON frame per line. The command line uses it to talk to the running Core. */

import type { Duplex } from 'node:stream';
import { parseJson } from '../../../shared/parse-json.ts';
import { bufferedWire, type Wire } from '../../../shared/protocol/wire.ts';
import { createLineSplitter } from '../jsonrpc/line-splitter.ts';
import { maxMessageBytes } from './transports/stream-transport.ts';

/** Takes over `stream`. Closes it on a line that is not JSON or is too long. */
export function socketWire(stream: Duplex): Wire {
  const { wire, receive, closed } = bufferedWire({
    send: (frame) => void stream.write(`${JSON.stringify(frame)}\n`),
    close: () => void stream.destroy(),
  });
  const splitter = createLineSplitter(
    maxMessageBytes,
    {
      line(line) {
        const frame = parseJson(line.toString());
        if (frame === undefined) stream.destroy();
        else receive(frame);
      },
      tooLong: () => void stream.destroy(),
    },
    stream,
  );
  stream.on('data', splitter.push);
  // The handshake left the stream paused.
  stream.resume();
  // Ignore errors, because each one is followed by 'close'.
  stream.on('error', () => undefined);
  stream.on('end', () => stream.end());
  stream.once('close', closed);
  return wire;
}
