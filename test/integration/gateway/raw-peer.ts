/** JSON-RPC over lines without a library: shows the exact messages, on either side of the gateway. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Command } from '../../fixtures/commands.ts';

type Json = Record<string, unknown>;

export interface Message extends Json {
  id?: number | string;
  method?: string;
  params?: Json;
  result?: Json;
  error?: { code: number; message: string; data?: unknown };
}

export interface RawPeer {
  readonly child?: ChildProcess;
  /** Every received message, in order. */
  readonly received: Message[];
  /** Sends a request; resolves with the complete response, result or error. */
  request(method: string, params?: Json): Promise<Message> & { id: number };
  notify(method: string, params?: Json): void;
  send(message: Json): void;
  onMessage(listener: (message: Message) => void): () => void;
  /** Answers requests of the other side; without a handler they get -32601. */
  onRequest?: ((message: Message) => Promise<Json>) | undefined;
  /** Resolves with the first matching message, past or future. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  readonly closed: Promise<void>;
  close(): void;
}

export function rawPeer(input: Readable, output: Writable, child?: ChildProcess): RawPeer {
  const received: Message[] = [];
  const pending = new Map<unknown, (message: Message) => void>();
  const listeners = new Set<(message: Message) => void>();
  const { promise: closed, resolve: setClosed } = Promise.withResolvers<void>();
  let lastId = 0;
  let parts: Buffer[] = [];
  const send = (message: Json) => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const peer: RawPeer = {
    ...(child && { child }),
    received,
    request(method, params) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<Message>((resolve) => pending.set(id, resolve));
      send({ id, method, ...(params && { params }) });
      return Object.assign(answer, { id });
    },
    notify: (method, params) => send({ method, ...(params && { params }) }),
    send,
    onMessage(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    until(fits) {
      const past = received.find(fits);
      if (past) return Promise.resolve(past);
      return new Promise((resolve) => {
        const stop = peer.onMessage((message) => {
          if (!fits(message)) return;
          stop();
          resolve(message);
        });
      });
    },
    closed,
    close() {
      output.end();
      child?.kill();
    },
  };
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      parts = [];
      start = end + 1;
      if (line.trim() !== '') receive(JSON.parse(line));
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  input.on('error', () => undefined);
  output.on('error', () => undefined);
  input.on('close', () => setClosed());
  function receive(message: Message): void {
    received.push(message);
    for (const listener of listeners) listener(message);
    if (message.method === undefined) {
      pending.get(message.id)?.(message);
      pending.delete(message.id);
    } else if (message.id !== undefined) {
      const { id } = message;
      if (!peer.onRequest) {
        send({ id, error: { code: -32601, message: 'Method not found' } });
        return;
      }
      peer.onRequest(message).then(
        (result) => send({ id, result }),
        (error: Error) => send({ id, error: { code: -32000, message: error.message } }),
      );
    }
  }
  return peer;
}

/** Starts a program and communicates with it over stdin and stdout. */
export function spawnPeer({ command, args, env }: Command): RawPeer {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  return rawPeer(child.stdout, child.stdin, child);
}

/** The first text of a result, or an empty string. */
export function textOf({ result }: Message): string {
  const [first] = (result?.content ?? []) as { text?: string }[];
  return first?.text ?? '';
}

/** The legacy handshake. */
export async function initialize(
  peer: RawPeer,
  { version = '2025-11-25', capabilities = {} as Json, name = 'raw' } = {},
): Promise<Message> {
  const clientInfo = { name, version: '1' };
  const answer = await peer.request('initialize', { protocolVersion: version, capabilities, clientInfo });
  peer.notify('notifications/initialized');
  return answer;
}
