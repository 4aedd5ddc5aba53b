/**
 * Limits the responses of HTTP servers. The SDK reads and parses each message as a whole, so one that is too long or
 * too costly to parse ends its response with an error. A burst of messages is passed on in several turns of the event loop.
 */
import type { FetchLike } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import { ownTurn } from '../../async/slices.ts';
import { costlyMessage, createParseCost } from '../../jsonrpc/parse-cost.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;
const openList = 0x5b;
const isBlank = (line: Uint8Array) => line.every((byte) => byte === carriageReturn);

/** The SDK puts the body of an error response into the error's message, of which only the beginning is useful. */
const maxErrorBytes = limits.server.errorCharacters;

type Controller = TransformStreamDefaultController<Uint8Array<ArrayBuffer>>;
type Filter = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

interface Limits {
  /** A message may have this size, like those of a local server. */
  maxBytes: number;
  /** How long an event stream may be silent, in milliseconds. */
  readTimeoutMs?: number | undefined;
  /** Called with the pause that the server demands together with HTTP 429, in milliseconds. */
  onRateLimit?: ((pauseMs: number | undefined) => void) | undefined;
}

export function limitedFetch(server: string, options: Limits, send: FetchLike = fetch): FetchLike {
  const { maxBytes, readTimeoutMs, onRateLimit } = options;
  return async (url, init) => {
    const response = await send(url, init);
    if (response.status === 429) onRateLimit?.(pauseOf(response.headers.get('retry-after')));
    if (!response.body) return response;
    if (!response.ok) return new Response(response.body.pipeThrough(shortened(maxErrorBytes)), response);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const limited = response.body.pipeThrough(limit(server, isStream, maxBytes));
    const body = isStream && readTimeoutMs !== undefined ? limited.pipeThrough(awake(server, readTimeoutMs)) : limited;
    return new Response(body, response);
  };
}

/** Reads seconds or a date. */
function pauseOf(retryAfter: string | null): number | undefined {
  const ms = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : Date.parse(retryAfter ?? '') - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** In an event stream, an empty line ends a message. */
function limit(server: string, isStream: boolean, maxBytes: number): Filter {
  const cost = createParseCost();
  let size = 0;
  let isLineEmpty = true;
  let isFirst = true;
  let endsInReturn = false;
  /** Passed on in this turn of the event loop. */
  let turn = { bytes: 0, messages: 0 };
  const add = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size <= maxBytes) cost.add(bytes);
  };
  const problem = () => {
    if (size > maxBytes) return `is larger than ${Math.round(maxBytes / 1024 / 1024)} MB`;
    return cost.isTooHigh() ? costlyMessage : undefined;
  };
  /** Passes messages on; resolves when further ones may follow. */
  async function pass(bytes: Uint8Array<ArrayBuffer>, messages: number, controller: Controller): Promise<void> {
    controller.enqueue(bytes);
    if (!isStream) return;
    if (turn.bytes === 0) setImmediate(() => (turn = { bytes: 0, messages: 0 }));
    turn.bytes += bytes.length;
    turn.messages += messages;
    if (isFull(0, 0)) await ownTurn();
  }
  const isFull = (bytes: number, messages: number) =>
    turn.bytes + bytes >= limits.turn.bytes || turn.messages + messages >= limits.turn.lines;

  return new TransformStream({
    async transform(chunk, controller) {
      if (!isStream && isFirst) {
        const first = firstCharacter(chunk);
        if (first === openList) maxBytes = Math.min(maxBytes, limits.server.batchBytes);
        isFirst = first === undefined;
      }
      const isBare = endsInReturn && chunk[0] !== newline;
      if (isStream && (isBare || hasBareReturn(chunk))) return void controller.error(bareReturns(server));
      endsInReturn = chunk.at(-1) === carriageReturn;
      let passed = 0;
      let messages = 0;
      let from = 0;
      for (let end = isStream ? chunk.indexOf(newline) : -1; end >= 0; end = chunk.indexOf(newline, from)) {
        const line = chunk.subarray(from, end);
        add(line);
        from = end + 1;
        if (isLineEmpty && isBlank(line) && problem() === undefined) {
          cost.reset();
          size = 0;
          messages += 1;
          if (isFull(from - passed, messages)) {
            await pass(chunk.subarray(passed, from), messages, controller);
            passed = from;
            messages = 0;
          }
        }
        isLineEmpty = true;
      }
      const rest = chunk.subarray(from);
      add(rest);
      isLineEmpty &&= isBlank(rest);
      const found = problem();
      if (found === undefined) await pass(chunk.subarray(passed), messages, controller);
      else controller.error(fail('SERVER_PROTOCOL_ERROR', `A message from "${server}" ${found}.`, { server }));
    },
  });
}

/**
 * Whether a carriage return alone ends a line. The SDK's parser takes quadratic time for such lines, which no known server
 * sends, and JSON has no such character.
 */
function hasBareReturn(chunk: Uint8Array): boolean {
  for (
    let at = chunk.indexOf(carriageReturn);
    at >= 0 && at + 1 < chunk.length;
    at = chunk.indexOf(carriageReturn, at + 1)
  )
    if (chunk[at + 1] !== newline) return true;
  return false;
}

const bareReturns = (server: string) =>
  fail('SERVER_PROTOCOL_ERROR', `"${server}" ends lines of its event stream with a carriage return alone.`, { server });

const firstCharacter = (bytes: Uint8Array) => bytes.find((byte) => byte > 0x20);
/** Ends a stream with an error if nothing arrives for `limitMs`. */
function awake(server: string, limitMs: number): Filter {
  let timer: NodeJS.Timeout | undefined;
  return new TransformStream({
    start(controller) {
      const message = `"${server}" sent nothing for ${limitMs} ms.`;
      const hint = 'Set `lifecycle.readTimeoutMs` of the server if it is silent for longer.';
      timer = setTimeout(() => controller.error(fail('SERVER_TIMEOUT', message, { server, hint })), limitMs);
    },
    transform(chunk, controller) {
      timer?.refresh();
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
    cancel: () => clearTimeout(timer),
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
