/** Responses of HTTP servers whose messages are too long, or too costly to parse. */
import { describe, expect, it } from 'vitest';
import { limitedFetch } from '../../../electron/core/servers/connection/limited-fetch.ts';

const maxBytes = 16 * 1024 * 1024;
const fetched = (type: string, chunks: string[], status = 200) =>
  limitedFetch('files', maxBytes, async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    return new Response(body, { status, headers: { 'content-type': type } });
  })('https://files.example/mcp');
const keys = (count: number) => Array.from({ length: count }, (_, at) => `"key${at}":${at}`);

describe('An event stream', () => {
  it('ends at a costly message, even if the message has many lines', async () => {
    const lines = keys(300_000).map((key) => `data: ${key},\n`);
    const response = await fetched('text/event-stream', ['data: {\n', ...lines, 'data: "end":1}\n\n']);
    await expect(response.text()).rejects.toThrow('keys and values');
  });

  it.each(['\n\n', '\r\n\r\n'])('may have any number of ordinary messages that end with %j', async (end) => {
    const events = Array.from({ length: 3_000 }, () => `data: {${keys(50).join()}}${end}`);
    // Network chunks may end anywhere.
    const chunks = events.join('').match(/.{1,1000}/gs) ?? [];
    expect(await (await fetched('text/event-stream', chunks)).text()).toBe(events.join(''));
  });
});

describe('A response', () => {
  const half = 'a'.repeat(maxBytes / 2);

  it.each(['application/json', 'text/event-stream'])('ends at a message that is too long (%s)', async (type) => {
    const response = await fetched(type, [`data: "${half}`, `${half}"`, '\n\n']);
    await expect(response.text()).rejects.toMatchObject({ failure: { message: expect.stringContaining('16 MB') } });
  });

  it('may have any number of long messages', async () => {
    const events = Array.from({ length: 4 }, () => `data: "${half}"\n\n`);
    expect(await (await fetched('text/event-stream', events)).text()).toBe(events.join(''));
  });

  it('that reports an error is read only at its beginning', async () => {
    const response = await fetched('text/plain', ['The database is down. ', half, half, half], 500);
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(text).toMatch(/^The database is down/);
    expect(text.length).toBeLessThan(maxBytes / 2);
  });
});
