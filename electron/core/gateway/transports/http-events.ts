/** Adds notifications to the event stream on which the SDK serves a subscription. */
import { limits } from '../../../../shared/limits.ts';
import type { ModernSubscriptions } from '../sessions/modern-subscriptions.ts';

const start = 'event: message\ndata: ';

export function eventStream() {
  let output: TransformStreamDefaultController<Uint8Array> | undefined;
  return {
    send(notification: object): void {
      // The client does not read.
      if (output && (output.desiredSize ?? 0) < -limits.client.unreadBytes) output.terminate();
      try {
        output?.enqueue(eventOf({ jsonrpc: '2.0', ...notification }));
      } catch {
        // The subscription has ended.
      }
    },
    /** The response with the notifications, if it is an event stream. */
    over(response: Response, acknowledge: ModernSubscriptions['acknowledge']): Response {
      if (!response.body || response.headers.get('content-type') !== 'text/event-stream') return response;
      let isFirst = true;
      const adapted = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>(
          {
            start(controller) {
              output = controller;
            },
            transform(chunk, controller) {
              controller.enqueue(isFirst ? adaptFirst(chunk, acknowledge) : chunk);
              isFirst = false;
            },
          },
          undefined,
          new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
        ),
      );
      return new Response(adapted, response);
    },
  };
}

/** The SDK writes each event as one chunk, and acknowledges a subscription with the first one. */
function adaptFirst(chunk: Uint8Array, acknowledge: ModernSubscriptions['acknowledge']): Uint8Array {
  const text = new TextDecoder().decode(chunk);
  if (!text.startsWith(start)) return chunk;
  const message = JSON.parse(text.slice(start.length)) as object;
  const adapted = acknowledge(message);
  return adapted === message ? chunk : eventOf(adapted);
}

export const eventOf = (message: object) => new TextEncoder().encode(`${start}${JSON.stringify(message)}\n\n`);
