/** Responses of HTTP servers whose messages are too costly to parse. */
import { describe, expect, it } from 'vitest';
import { limitedFetch } from '../../../electron/core/servers/connection/limited-fetch.ts';

const fetched = (type: string, chunks: string[]) =>
  limitedFetch('files', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': type } });
  })('https://files.example/mcp');
const keys = (count: number) => Array.from({ length: count }, (_, at) => `"key${at}":${at}`);

describe('An event stream', () => {
  it('ends at a costly message, even if the message has many lines', async () => {
    const lines = keys(300_000).map((key) => `data: ${key},\n`);
    const response = await fetched('text/event-stream', ['data: {\n', ...lines, 'data: "end":1}\n\n']);
    await expect(response.text()).rejects.toMatchObject({ failure: { code: 'SERVER_PROTOCOL_ERROR' } });
  });

  it.each(['\n\n', '\r\n\r\n'])('may have any number of ordinary messages that end with %j', async (end) => {
    const events = Array.from({ length: 3_000 }, () => `data: {${keys(50).join()}}${end}`);
    // Network chunks may end anywhere.
    const chunks = events.join('').match(/.{1,1000}/gs) ?? [];
    expect(await (await fetched('text/event-stream', chunks)).text()).toBe(events.join(''));
  });
});
