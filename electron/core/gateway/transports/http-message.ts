/** Reads a POST body up to a limit, completes short requests, and recognizes the calls that do not need the SDK. */
import type { IncomingMessage } from 'node:http';
import { isJsonContentType, type JSONRPCRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { isObject } from '../../../../shared/is-object.ts';
import { withoutMark } from '../../files/text.ts';
import { createParseCost } from '../../jsonrpc/parse-cost.ts';
import { parseLine } from '../../jsonrpc/raw-json.ts';
import { removeNulls } from './stream-transport.ts';

type Body = { bytes: Buffer } | { refused: 'too large' | 'costly' | 'too much' };

/** The bytes that one request holds, counted together with those of its token's other requests. */
export interface HeldBytes {
  /** Returns false, and counts nothing, if the token's requests would hold too much. */
  add(bytes: number): boolean;
  /** Call when the request has ended. */
  release(): void;
}

/** Returns a function that starts to count the bytes of a request. */
export function createHeldBytes(maxBytesPerToken: number): (token: string) => HeldBytes {
  const heldBy = new Map<string, number>();
  return (token) => {
    let own = 0;
    return {
      add(bytes) {
        const held = (heldBy.get(token) ?? 0) + bytes;
        if (held > maxBytesPerToken) return false;
        heldBy.set(token, held);
        own += bytes;
        return true;
      },
      release() {
        const left = (heldBy.get(token) ?? 0) - own;
        own = 0;
        if (left > 0) heldBy.set(token, left);
        else heldBy.delete(token);
      },
    };
  };
}

/**
 * Resolves with the body, unless it is too large, too costly to parse, or too much with the other requests of its token. Rejects
 * if the client disconnects early.
 */
export function readBody(request: IncomingMessage, maxBytes: number, held: HeldBytes): Promise<Body> {
  if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve({ refused: 'too large' });
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    const cost = createParseCost();
    let size = 0;
    let refused = false;
    const refuse = (reason: 'too large' | 'too much') => {
      refused = true;
      parts = [];
      resolve({ refused: reason });
    };
    request.on('data', (part: Buffer) => {
      if (refused) return;
      size += part.length;
      cost.add(part);
      if (size > maxBytes) refuse('too large');
      else if (cost.isTooHigh()) parts = [];
      else if (held.add(part.length)) parts.push(part);
      else refuse('too much');
    });
    request.on('end', () => {
      if (cost.isTooHigh()) resolve({ refused: 'costly' });
      else resolve({ bytes: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size) });
    });
    request.on('error', reject);
  });
}

/** Parses the message, keeping its original text as `parseLine` does; undefined if it is not a JSON object or list. */
export function parseBody(bytes: Buffer): { message: unknown } | undefined {
  try {
    const message = parseLine(withoutMark(bytes));
    for (const one of Array.isArray(message) ? message : [message]) removeNulls(one);
    return typeof message === 'object' && message !== null ? { message } : undefined;
  } catch {
    return undefined;
  }
}

const bothTypes = 'application/json, text/event-stream';
const statelessVersion = '2026-07-28';
const shortMethods: ReadonlySet<unknown> = new Set(['tools/list', 'tools/call']);

/**
 * Completes a request such as those that users send with `curl`: any response type means both, and a list or a call
 * without a session is one stateless request of the present protocol.
 */
export function completed(headers: IncomingMessage['headers'], message: unknown): unknown {
  if (headers.accept === undefined || headers.accept.includes('*/*')) headers.accept = bothTypes;
  if (headers['mcp-session-id'] !== undefined || headers['mcp-protocol-version'] !== undefined) return message;
  if (!isObject(message) || message.id === undefined || !shortMethods.has(message.method)) return message;
  const { method, params = {} } = message;
  if (!isObject(params) || params._meta !== undefined) return message;
  const { name = '' } = params;
  // The protocol repeats these values in headers, which only take plain characters.
  if (typeof name !== 'string' || !/^[\x21-\x7e]*$/.test(name)) return message;
  headers['mcp-protocol-version'] = statelessVersion;
  headers['mcp-method'] = String(method);
  if (name !== '') headers['mcp-name'] = name;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': statelessVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'http', version: '' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { ...message, params: { ...params, _meta } };
}

/** True for a tool call that the SDK would accept in a legacy session. Everything else is left to the SDK. */
export function isPlainCall(request: IncomingMessage, message: unknown): message is JSONRPCRequest {
  const { accept, 'content-type': type, 'mcp-protocol-version': version } = request.headers;
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) return false;
  if (!isJsonContentType(type) || (version !== undefined && !knownVersions.has(version))) return false;
  if (!isObject(message) || message.jsonrpc !== '2.0' || message.method !== 'tools/call') return false;
  const { id, params } = message;
  if (!isToken(id) || !isObject(params) || Object.keys(message).length !== 4) return false;
  const { _meta: meta } = params;
  if (meta === undefined) return true;
  if (!isObject(meta) || !(meta.progressToken === undefined || isToken(meta.progressToken))) return false;
  // The protocol's own keys mark modern requests and tasks.
  return !Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));
}

const knownVersions: ReadonlySet<unknown> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

const isToken = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value);
