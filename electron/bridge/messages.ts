/** JSON-RPC lines as the bridge sees them: enough of each to know what it answers, without parsing large results. */

export type Id = string | number;

export interface Message {
  id?: Id | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** What a line from Core is. A response is only parsed where its id stands at neither end. */
export type CoreLine = { kind: 'response'; id: Id } | { kind: 'message'; message: Message } | { kind: 'other' };

const id = String.raw`("[ !#-\[\]-~]{0,200}"|-?\d{1,16})`;
const idFirst = new RegExp(String.raw`^\{"jsonrpc":"2\.0","id":${id},"(?:result|error)":`);
/** The last brace closes the message, so a member right before it is the message's own. */
const idLast = new RegExp(String.raw`,"id":${id}\}\s*$`);
const resultFirst = /^\{"(?:result|error)":/;
const reach = 256;

export function readCoreLine(line: Buffer): CoreLine {
  const head = line.toString('latin1', 0, reach);
  const found =
    idFirst.exec(head) ??
    (resultFirst.test(head) ? idLast.exec(line.toString('latin1', Math.max(0, line.length - reach))) : null);
  if (found?.[1]) return { kind: 'response', id: JSON.parse(found[1]) as Id };
  const message = parse(line);
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return { kind: 'other' };
  const { id: given, method } = message as Message;
  if (method === undefined && given !== undefined && given !== null) return { kind: 'response', id: given };
  return { kind: 'message', message: message as Message };
}

/** The messages of a line: one, several of a batch, or none when the line is not JSON. */
export function readClientLine(line: Buffer): Message[] {
  const value = parse(line);
  return (Array.isArray(value) ? value : [value]).filter(
    (message): message is Message => typeof message === 'object' && message !== null,
  );
}

export function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** `1` and `"1"` are different ids. */
export const keyOf = (value: unknown): string => JSON.stringify(value) ?? '';

/** Splits bytes into lines without copying a long one for every chunk. `tooLong` replaces a line above `maxBytes`. */
export function lineSplitter(maxBytes: number, on: { line(line: Buffer): void; tooLong(): void }) {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  const flush = () => {
    const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const isTooLong = size > maxBytes;
    parts = [];
    size = 0;
    if (isTooLong) on.tooLong();
    else if (line.length > 0) on.line(line);
  };
  return (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      add(chunk.subarray(from, end));
      flush();
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  };
}
