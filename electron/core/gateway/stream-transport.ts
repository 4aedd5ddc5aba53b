/** JSON lines over a byte stream as an MCP transport, without the SDK's per-message validation and buffer copying. */
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { createLineWriter } from '../line-writer.ts';

/** Larger messages end the connection: 64 MB, as over HTTP. */
export const maxMessageBytes = 64 * 1024 * 1024;

const newline = 0x0a;
/** When the client ends its side, answers under way may still be sent for so long. */
const lingerMs = 250;

/**
 * Calls `onLine` for each complete line, as text without its end. A line is only joined when it is complete, so that a
 * large message costs one copy. Throws when a line exceeds `maxBytes`.
 */
export function lineSplitter(onLine: (line: string) => void, maxBytes = maxMessageBytes): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (held + piece.length > maxBytes) throw new Error(`A message exceeds ${maxBytes} bytes.`);
      if (held === 0) onLine(piece.toString());
      else {
        const whole = Buffer.concat([...parts, piece], held + piece.length);
        parts = [];
        held = 0;
        onLine(whole.toString());
      }
    }
    if (start === chunk.length) return;
    held += chunk.length - start;
    if (held > maxBytes) throw new Error(`A message exceeds ${maxBytes} bytes.`);
    parts.push(chunk.subarray(start));
  };
}

/**
 * Serves the SDK over `stream`, except for messages that `takes` takes over. Text that is not JSON is answered with a
 * parse error, as JSON-RPC demands.
 */
export function streamTransport(stream: Duplex, takes: (message: JSONRPCMessage) => boolean): Transport {
  let closed = false;
  let ending = false;
  let unanswered = 0;
  const transport: Transport = { start, send, close };
  const split = lineSplitter(receive);
  const lines = createLineWriter(stream);

  async function start(): Promise<void> {
    stream.on('data', (chunk: Buffer) => {
      try {
        split(chunk);
      } catch (error) {
        transport.onerror?.(error as Error);
        void close();
      }
    });
    stream.on('error', (error) => transport.onerror?.(error));
    stream.on('end', () => {
      ending = true;
      if (unanswered === 0) void close();
      else setTimeout(close, lingerMs).unref();
    });
    stream.on('close', close);
    // It was paused after the hello.
    stream.resume();
  }

  function receive(line: string): void {
    if (line === '' || line === '\r') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      const error = { code: -32700, message: 'Parse error: the line is not valid JSON.' };
      lines.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      return;
    }
    // Batches existed in two early protocol versions; their members are answered one by one.
    for (const one of Array.isArray(message) ? message : [message]) {
      if (isMessage(one)) {
        if ('method' in one && 'id' in one) unanswered += 1;
        if (!takes(one)) transport.onmessage?.(one);
      } else transport.onerror?.(new Error('Received something that is not a JSON-RPC message.'));
    }
  }

  async function send(message: JSONRPCMessage): Promise<void> {
    if (closed) throw new Error('The client has left.');
    lines.write(`${JSON.stringify(message)}\n`);
    if (!('method' in message)) unanswered -= 1;
    if (ending && unanswered <= 0) return close();
    if (!stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        stream.off('drain', done);
        stream.off('close', done);
        resolve();
      };
      stream.once('drain', done);
      stream.once('close', done);
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

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0';
}
