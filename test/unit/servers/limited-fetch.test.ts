/** Responses of HTTP servers whose messages are too long, or too costly to parse. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { limitedFetch } from '../../../electron/core/servers/connection/limited-fetch.ts';
import { limits } from '../../../shared/limits.ts';

const maxBytes = 16 * 1024 * 1024;
const fetched = (type: string, chunks: string[], status = 200) =>
  limitedFetch('files', { maxBytes }, async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    return new Response(body, { status, headers: { 'content-type': type } });
  })('https://files.example/mcp');
const keys = (count: number) => Array.from({ length: count }, (_, at) => `"key${at}":${at}`);

describe('A silent event stream', () => {
  const silent = (readTimeoutMs?: number, type = 'text/event-stream') => {
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
    });
    const response = limitedFetch('files', { maxBytes, readTimeoutMs }, async () => {
      return new Response(body, { headers: { 'content-type': type } });
    })('https://files.example/mcp');
    return { response, send: (text: string) => send(text) };
  };

  it('ends with an error after its own limit, which each chunk restarts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { response, send } = silent(1_000);
    const reader = (await response).body?.getReader();
    for (const text of ['data: a\n\n', ': still here\n\n']) {
      await vi.advanceTimersByTimeAsync(900);
      send(text);
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(text);
    }
    const next = expect(reader?.read()).rejects.toThrow('"files" sent nothing for 1000 ms.');
    await vi.advanceTimersByTimeAsync(1_001);
    await next;
  });

  it.each([
    ['without the limit', undefined, 'text/event-stream'],
    ['that is a single JSON message', 1_000, 'application/json'],
  ])('stays open %s', async (_, readTimeoutMs, type) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { response, send } = silent(readTimeoutMs, type);
    const reader = (await response).body?.getReader();
    await vi.advanceTimersByTimeAsync(100_000);
    send('{}');
    expect((await reader?.read())?.done).toBe(false);
  });
});

describe('An event stream', () => {
  it.each([
    ['', ['\r'.repeat(60_000)]],
    [', at the end of a chunk', ['data: 2\r', 'data: 3\r']],
  ])('ends at a line that a carriage return alone ends%s', async (_where, chunks) => {
    const response = await fetched('text/event-stream', ['data: 1\r\n\r\n', ...chunks]);
    await expect(response.text()).rejects.toMatchObject({ failure: { code: 'SERVER_PROTOCOL_ERROR' } });
  });

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

it('A burst of events is passed on in several turns of the event loop', async () => {
  const events = Array.from(
    { length: 2_000 },
    (_, at) => `data: {"method":"notifications/x","params":{"at":${10_000 + at}}}\n\n`,
  );
  const response = await fetched('text/event-stream', [events.join(''), events.join('')]);
  let text = '';
  let inThisTurn = 0;
  let ticking = setImmediate(function tick() {
    inThisTurn = 0;
    ticking = setImmediate(tick);
  });
  onTestFinished(() => clearImmediate(ticking));
  for await (const bytes of response.body ?? []) {
    inThisTurn += bytes.length;
    text += new TextDecoder().decode(bytes);
    expect(inThisTurn).toBeLessThanOrEqual(limits.turn.bytes);
    expect(inThisTurn / (events[0]?.length ?? 0)).toBeLessThanOrEqual(limits.turn.lines);
  }
  expect(text).toBe(events.join('') + events.join(''));
});

describe('A response', () => {
  it.each(['', ' \n'])('that is a large batch ends with an error (after %j)', async (before) => {
    const batch = `[${Array.from({ length: 50_000 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`).join()}]`;
    const response = await fetched('application/json', [before, batch]);
    await expect(response.text()).rejects.toMatchObject({ failure: { code: 'SERVER_PROTOCOL_ERROR' } });
  });

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
