/** Reads JSON-RPC lines just far enough to classify and match them, without parsing large results. */
import { parseJson } from '../../shared/parse-json.ts';

/** The `_meta` key that only clients of MCP's modern era send. */
export const modernKey = 'io.modelcontextprotocol/protocolVersion';

export type Id = string | number;

export interface Message {
  id?: Id | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** The kind of a line from Core. A response is parsed only if its id is at neither end. */
export type CoreLine = { kind: 'response'; id: Id } | { kind: 'message'; message: Message } | { kind: 'other' };

const id = String.raw`("[ !#-\[\]-~]{0,200}"|-?\d{1,16})`;
const idFirst = new RegExp(String.raw`^\{"jsonrpc":"2\.0","id":${id},"(?:result|error)":`);
/** The last brace closes the message, so a member directly before it belongs to the message itself. */
const idLast = new RegExp(String.raw`,"id":${id}\}\s*$`);
const resultFirst = /^\{"(?:result|error)":/;
const reach = 256;

export function readCoreLine(line: Buffer): CoreLine {
  const head = line.toString('latin1', 0, reach);
  const found =
    idFirst.exec(head) ??
    (resultFirst.test(head) ? idLast.exec(line.toString('latin1', Math.max(0, line.length - reach))) : null);
  if (found?.[1]) return { kind: 'response', id: JSON.parse(found[1]) as Id };
  const message = parseJson(line.toString());
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return { kind: 'other' };
  const { id: given, method } = message as Message;
  if (method === undefined && given !== undefined && given !== null) return { kind: 'response', id: given };
  return { kind: 'message', message: message as Message };
}

/** The start of a call whose id is at either end, as the SDKs write it. */
const callFirst = new RegExp(
  String.raw`^\{(?:"jsonrpc":"2\.0",)?(?:"id":${id},)?"method":"tools/call",(?:"jsonrpc":"2\.0",)?"params":`,
);

/** Reads only the ends of a call. Undefined if they do not suffice, or for a modern call, whose params are needed. */
function callOf(line: Buffer): Message | undefined {
  const start = callFirst.exec(line.toString('latin1', 0, reach));
  if (!start || line.includes(modernKey)) return undefined;
  const found = start[1] ?? idLast.exec(line.toString('latin1', Math.max(0, line.length - reach)))?.[1];
  return found === undefined ? undefined : { id: JSON.parse(found) as Id, method: 'tools/call' };
}

/** The messages in a line: one, several for a batch, or none if the line is not JSON. A call has no params if its ends suffice. */
export function readClientLine(line: Buffer): Message[] {
  const call = callOf(line);
  if (call) return [call];
  const value = parseJson(line.toString());
  return (Array.isArray(value) ? value : [value]).filter(
    (message): message is Message => typeof message === 'object' && message !== null,
  );
}

/** Keeps `1` and `"1"` distinct, as JSON-RPC does. */
export const keyOf = (value: unknown): string => JSON.stringify(value) ?? '';

const newline = 0x0a;
export const endsLine = (line: Buffer) => line.at(-1) === newline;

/**
 * Splits bytes into lines with their newlines, without copying a long line for each chunk. Calls `tooLong` for a line above `maxBytes`, and
 * continues after it. Core has its own splitter, which stops at such a line and measures the cost of parsing.
 */
export function lineSplitter(maxBytes: number, on: { line(line: Buffer): void; tooLong(): void }) {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= maxBytes + 1) parts.push(part);
    else parts = [];
  };
  const flush = () => {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const isTooLong = size > maxBytes + 1;
    parts = [];
    size = 0;
    if (isTooLong) on.tooLong();
    else if (line.length > 1) on.line(line);
  };
  return (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, end + 1));
      flush();
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
