/**
 * An MCP transport over a byte stream of JSON lines, without the SDK's validation and buffer copying for each message.
 */
import type { Duplex } from 'node:stream';
import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { createLineSplitter } from '../../jsonrpc/line-splitter.ts';
import { createLineWriter } from '../../jsonrpc/line-writer.ts';
import { costlyMessage } from '../../jsonrpc/parse-cost.ts';
import { lineOf, outlineOf, parseLine } from '../../jsonrpc/raw-json.ts';

/** As over HTTP. A larger message ends the connection. */
export const maxMessageBytes = limits.client.messageBytes;

export const maxBatch = limits.client.batchedMessages;

/** The SDK keeps all that a client says about itself. */
export const maxInitializeBytes = limits.client.initializeBytes;
export const isInitialize = (message: unknown): boolean => isObject(message) && message.method === 'initialize';

/** Nothing else limits what is kept for a client that does not read. */
const maxUnreadBytes = limits.client.unreadBytes;

/** Milliseconds during which responses may still be sent after the client closed its end. */
const lingerMs = 250;

/**
 * An SDK transport over `stream`. Messages for which `takes` returns true do not reach the SDK. `adapt` changes notifications to the
 * client. A line that is not JSON gets a parse error, as JSON-RPC requires.
 */
export function streamTransport(
  stream: Duplex,
  takes: (message: JSONRPCMessage) => boolean,
  adapt: (message: JSONRPCMessage) => JSONRPCMessage = (message) => message,
): Transport {
  let closed = false;
  let ending = false;
  let unanswered = 0;
  let draining: Promise<void> | undefined;
  const transport: Transport = { start, send, close };
  const lines = createLineWriter(stream);
  const splitter = createLineSplitter(
    maxMessageBytes,
    {
      line: receive,
      costly: receiveCostly,
      tooLong() {
        transport.onerror?.(new Error(`A message exceeds ${maxMessageBytes} bytes.`));
        void close();
      },
    },
    stream,
  );

  async function start(): Promise<void> {
    stream.on('data', splitter.push);
    stream.on('error', (error) => transport.onerror?.(error));
    stream.on('end', () => {
      ending = true;
      if (unanswered === 0) void close();
      else setTimeout(close, lingerMs).unref();
    });
    stream.on('close', close);
    // The handshake left the stream paused.
    stream.resume();
  }

  function receive(line: Buffer): void {
    let message: unknown;
    try {
      message = parseLine(line);
    } catch {
      if (line.toString().trim() === '') return;
      const error = { code: -32700, message: 'Parse error: the line is not valid JSON.' };
      lines.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      return;
    }
    // Two early protocol versions allowed batches; handle their members one by one.
    const members = Array.isArray(message) ? message : [message];
    if (members.length > maxBatch) {
      const error = { code: -32600, message: `A batch may have at most ${maxBatch} messages, not ${members.length}.` };
      lines.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      return;
    }
    for (const one of members) {
      if (line.length > maxInitializeBytes && isInitialize(one)) {
        transport.onerror?.(new Error(`An "initialize" request exceeds ${maxInitializeBytes} bytes.`));
        return void close();
      }
      removeNulls(one);
      if (isMessage(one)) {
        if ('method' in one && 'id' in one) unanswered += 1;
        deliver(one);
      } else if (isObject(one) && one.id !== undefined && one.result === undefined && one.error === undefined)
        refuse(one.id);
      else transport.onerror?.(new Error('Received a message that is not JSON-RPC.'));
    }
  }

  /** Fails the request, or the question to the client that the message answers. */
  function receiveCostly(line: Buffer): void {
    const { id = null, method } = outlineOf(line);
    const error = { code: -32600, message: `The message ${costlyMessage}.` };
    if (id !== null && method === undefined) deliver({ jsonrpc: '2.0', id: id as string | number, error });
    else lines.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }

  /** Catches every error, so that no message from a client can end Core. */
  function deliver(message: JSONRPCMessage): void {
    try {
      if (takes(message)) return;
      // The SDK would drop it without an answer.
      if ('id' in message && 'method' in message && !isJSONRPCRequest(message)) throw new Error('Not a valid request.');
      transport.onmessage?.(message);
    } catch (error) {
      transport.onerror?.(error as Error);
      if (!('method' in message && 'id' in message)) return;
      unanswered -= 1;
      refuse(message.id);
    }
  }

  function refuse(id: unknown): void {
    const error = { code: -32600, message: 'The request is not valid for its method.' };
    lines.write(`${JSON.stringify({ jsonrpc: '2.0', id: typeof id === 'object' ? null : id, error })}\n`);
  }

  async function send(message: JSONRPCMessage): Promise<void> {
    if (closed) throw new Error('The client has disconnected.');
    if (stream.writableLength > maxUnreadBytes) {
      stream.destroy();
      throw new Error(`The client has not read ${maxUnreadBytes} bytes.`);
    }
    const isAnswer = !('method' in message);
    lines.write(lineOf(isAnswer ? message : adapt(message)));
    if (isAnswer) unanswered -= 1;
    if (ending && unanswered <= 0) return close();
    if (!stream.writableNeedDrain) return;
    draining ??= drained();
    await draining;
  }

  /** Resolves when the stream accepts more data or closes. All senders share one wait. */
  function drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done);
        draining = undefined;
        resolve();
      };
      stream.once('drain', done).once('close', done);
    });
  }

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    lines.flush();
    stream.end();
    transport.onclose?.();
  }

  return transport;
}

/** Some clients write null for what they leave out. */
export function removeNulls(message: unknown): void {
  if (!isObject(message) || typeof message.method !== 'string') return;
  const { params } = message;
  if (params === null) delete message.params;
  else if (isObject(params) && params._meta === null) delete params._meta;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0';
}
