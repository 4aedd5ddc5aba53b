/**
 * The response to one call over HTTP: a plain JSON body, or an event stream if another message precedes the result. A
 * long call starts its stream after half a second, because clients and proxies may time out while they wait for
 * headers.
 */
import type { ServerResponse } from 'node:http';
import { lineOf } from '../../jsonrpc/raw-json.ts';
import type { CallOutput } from './direct-calls.ts';

const plainWithinMs = 500;
/** Milliseconds; the SDK uses the same interval. Some proxies close silent connections. */
const keepAliveMs = 15_000;

export function answerOn(response: ServerResponse, sessionId: string): CallOutput {
  let streams = false;
  let keepAlive: NodeJS.Timeout | undefined;
  const streamTimer = setTimeout(stream, plainWithinMs);
  // The client may disconnect while data is being written.
  response.on('error', () => undefined);
  response.on('close', stopTimers);

  function stopTimers(): void {
    clearTimeout(streamTimer);
    clearInterval(keepAlive);
  }

  /** A slow client may read the end much later. Until then, nothing more may be written. */
  function end(piece?: string | Buffer): void {
    stopTimers();
    response.end(piece);
  }

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
      // The client has disconnected.
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
        end(pieces[0]);
        return;
      }
      stream();
      // The first line break ends the data field; the second one ends the event.
      write(['event: message\ndata: ', ...pieces, '\n']);
      if (isLast) end();
    },
    end() {
      if (response.destroyed || response.writableEnded) return;
      stream();
      end();
    },
  };
}
