/**
 * Limits the responses of HTTP servers. The SDK reads and parses each message as a whole, so one that is too long or
 * too costly to parse ends its response with an error.
 */
import type { FetchLike } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { costlyMessage, createParseCost } from '../../jsonrpc/parse-cost.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const isBlank = (line: Uint8Array) => line.every((byte) => byte === carriageReturn);

/** The SDK puts the body of an error response into the error's message, of which only the beginning is useful. */
const maxErrorBytes = 64 * 1024;

type Filter = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

/** A message may have up to `maxBytes`, like those of a local server. */
export function limitedFetch(server: string, maxBytes: number, send: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    if (!response.ok) return new Response(response.body.pipeThrough(shortened(maxErrorBytes)), response);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    return new Response(response.body.pipeThrough(limit(server, isStream, maxBytes)), response);
  };
}

/** In an event stream, an empty line ends a message. */
function limit(server: string, isStream: boolean, maxBytes: number): Filter {
  const cost = createParseCost();
  let size = 0;
  let isLineEmpty = true;
  const add = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size <= maxBytes) cost.add(bytes);
  };
  const problem = () => {
    if (size > maxBytes) return `is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`;
    return cost.isTooHigh() ? costlyMessage : undefined;
  };
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0;
      for (let end = isStream ? chunk.indexOf(newline) : -1; end >= 0; end = chunk.indexOf(newline, from)) {
        const line = chunk.subarray(from, end);
        add(line);
        from = end + 1;
        if (isLineEmpty && isBlank(line) && problem() === undefined) {
          cost.reset();
          size = 0;
        }
        isLineEmpty = true;
      }
      const rest = chunk.subarray(from);
      add(rest);
      isLineEmpty &&= isBlank(rest);
      const found = problem();
      if (found === undefined) controller.enqueue(chunk);
      else controller.error(fail('SERVER_PROTOCOL_ERROR', `A message from "${server}" ${found}.`, { server }));
    },
  });
}

/** Passes on the first `maxBytes`. */
function shortened(maxBytes: number): Filter {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
