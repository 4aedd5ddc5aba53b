/** Requests to HTTP servers. The SDK parses each message as a whole, so a message that is too costly to parse ends its response. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { costlyMessage, createParseCost } from '../../jsonrpc/parse-cost.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const isBlank = (line: Uint8Array) => line.every((byte) => byte === carriageReturn);

export function limitedFetch(server: string, send: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.ok || !response.body) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    return new Response(response.body.pipeThrough(limit(server, isStream)), response);
  };
}

/** In an event stream, an empty line ends a message. */
function limit(server: string, isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const cost = createParseCost();
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0;
      for (let end = isStream ? chunk.indexOf(newline) : -1; end >= 0; end = chunk.indexOf(newline, from)) {
        const line = chunk.subarray(from, end);
        cost.add(line);
        from = end + 1;
        if (isLineEmpty && isBlank(line) && !cost.isTooHigh()) cost.reset();
        isLineEmpty = true;
      }
      const rest = chunk.subarray(from);
      cost.add(rest);
      isLineEmpty &&= isBlank(rest);
      if (!cost.isTooHigh()) controller.enqueue(chunk);
      else controller.error(fail('SERVER_PROTOCOL_ERROR', `A message of "${server}" ${costlyMessage}.`, { server }));
    },
  });
}
