/** Requests to HTTP servers. The SDK parses each message as a whole, so a message that is too costly to parse ends its response. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { costlyMessage, createParseCost } from '../../jsonrpc/parse-cost.ts';

const newline = 0x0a;

export function limitedFetch(server: string, send: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.ok || !response.body) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    return new Response(response.body.pipeThrough(limit(server, isStream)), response);
  };
}

/** In an event stream, each line is a message. */
function limit(server: string, isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const cost = createParseCost();
  return new TransformStream({
    transform(chunk, controller) {
      let from = 0;
      for (let end = isStream ? chunk.indexOf(newline) : -1; end >= 0; end = chunk.indexOf(newline, from)) {
        cost.add(chunk.subarray(from, end));
        from = end + 1;
        if (!cost.isTooHigh()) cost.reset();
      }
      cost.add(chunk.subarray(from));
      if (!cost.isTooHigh()) controller.enqueue(chunk);
      else controller.error(fail('SERVER_PROTOCOL_ERROR', `A message of "${server}" ${costlyMessage}.`, { server }));
    },
  });
}
