/**
 * The answer to one call over HTTP: a plain JSON body, or an event stream from the first message on that comes before the
 * result. Of a call that takes long the stream begins anyway, so that nobody on the way waits in vain for headers.
 */
import type { ServerResponse } from 'node:http';
import { lineOf } from '../lines/lines.ts';
import type { Outlet } from './direct-calls.ts';

const plainWithinMs = 500;
/** As often as the SDK, for what breaks silent connections. */
const keepAliveMs = 15_000;

export function answerOn(response: ServerResponse, sessionId: string): Outlet {
  let streams = false;
  let keepAlive: NodeJS.Timeout | undefined;
  const patience = setTimeout(stream, plainWithinMs);
  response.on('close', () => {
    clearTimeout(patience);
    clearInterval(keepAlive);
  });

  function stream(): void {
    if (streams || response.destroyed) return;
    streams = true;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
      'mcp-session-id': sessionId,
    });
    response.flushHeaders();
    keepAlive = setInterval(() => response.write(': keepalive\n\n'), keepAliveMs);
    keepAlive.unref();
  }

  function write(pieces: (string | Buffer)[]): void {
    response.cork();
    for (const piece of pieces) response.write(piece);
    response.uncork();
  }

  return {
    send(message) {
      // A client that has left needs no answer.
      if (response.destroyed || response.writableEnded) return;
      const line = lineOf(message);
      const pieces = typeof line === 'string' ? [line] : line;
      const isLast = !('method' in message);
      if (isLast && !streams) {
        const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': length,
          'mcp-session-id': sessionId,
        });
        if (pieces.length > 1) write(pieces.splice(0));
        response.end(pieces[0]);
        return;
      }
      stream();
      // A line holds no break but the one at its end, which ends the data; one more ends the event.
      write(['event: message\ndata: ', ...pieces, '\n']);
      if (isLast) response.end();
    },
    end() {
      if (response.destroyed || response.writableEnded) return;
      stream();
      response.end();
    },
  };
}
