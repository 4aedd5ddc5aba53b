/** The event stream of a subscription over HTTP. */
import { expect, it } from 'vitest';
import { eventStream } from '../../../electron/core/gateway/transports/http-events.ts';
import { limits } from '../../../shared/limits.ts';

it('ends for a client that leaves too much unread', async () => {
  const events = eventStream();
  const headers = { 'content-type': 'text/event-stream' };
  const response = events.over(new Response(new ReadableStream(), { headers }), (message) => message);
  const text = 'x'.repeat(20_000_000);
  const sent = 20;
  for (let count = 0; count < sent; count += 1) events.send({ method: 'notifications/message', params: { text } });
  let received = 0;
  for await (const chunk of response.body ?? []) received += chunk.length;
  expect(received).toBeGreaterThan(limits.client.unreadBytes);
  expect(received).toBeLessThan(sent * text.length);
});
