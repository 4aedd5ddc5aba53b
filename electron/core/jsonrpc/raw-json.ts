/**
 * Forwards the results and arguments of calls byte for byte. They are parsed, because rules and the history need their
 * values, but their original text is kept and sent: serializing again would change numbers beyond 2⁵³, and would take
 * milliseconds for a 1 MB image.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import type { Line } from './line-writer.ts';

/** The original text of parsed values; bytes if it is long. */
const originalTexts = new WeakMap<object, string | Buffer>();
const minLongBytes = 16 * 1024;

/** `"key": "short string"`, a number, or a flat `_meta`. Nearly all other members have one of these forms. */
const member = String.raw`(?:"[a-z]{1,20}": ?(?:"[ !#-\[\]-~]{0,200}"|\d{1,16})|"_meta": ?\{[ -z|~]{0,300}\})`;
const before = String.raw`\{(?:${member}, ?)*`;
const after = String.raw`(?:, ?${member})*\}`;
const end = String.raw`\s*$`;

/** Patterns for the text before and after a value. A match is only a guess, confirmed when both parts are valid JSON. */
const locations = [
  { path: ['result'], start: `^${before}"result": ?`, end: after + end },
  {
    path: ['params', 'arguments', 'arguments'],
    start: `^${before}"params": ?${before}"arguments": ?${before}"arguments": ?`,
    end: after + after + after + end,
  },
  { path: ['params', 'arguments'], start: `^${before}"params": ?${before}"arguments": ?`, end: after + after + end },
].map((location) => ({ path: location.path, start: new RegExp(location.start), end: new RegExp(location.end) }));
/** How far from the ends of a line the patterns are applied. */
const reach = 1024;

/** Parses a line. Throws like JSON.parse. */
export function parseLine(line: Buffer): unknown {
  // Slicing a string is free, so decode a short line once. Decode only the ends of a long line.
  const whole = line.length < minLongBytes ? line.toString('latin1') : undefined;
  const part: Part = (from, to) => whole?.slice(from, to) ?? line.toString('latin1', from, to);
  const head = part(0, reach);
  for (const location of locations) {
    const start = location.start.exec(head)?.[0];
    if (start === undefined) continue;
    const stop = location.end.exec(part(Math.max(start.length, line.length - reach), line.length))?.[0];
    const parsed = stop === undefined ? undefined : parseAround(line, part, start, stop, location.path);
    if (parsed) return parsed;
  }
  return JSON.parse(isAscii(line) ? part(0, line.length) : line.toString());
}

const firstMembers = new RegExp(`^${before}`);
const lastMembers = new RegExp(after + end);

/** The short members at both ends of a line that is not parsed, such as the message's ID and method. */
export function outlineOf(line: Buffer): Record<string, unknown> {
  const first = firstMembers.exec(line.toString('latin1', 0, reach))?.[0] ?? '{';
  const last = lastMembers.exec(line.toString('latin1', Math.max(0, line.length - reach)))?.[0] ?? '}';
  try {
    return { ...JSON.parse(`{${last.replace(/^, ?/, '')}`), ...JSON.parse(`${first.replace(/, ?$/, '')}}`) };
  } catch {
    return {};
  }
}

/** Decodes bytes of a line as Latin-1. */
type Part = (from: number, to: number) => string;

/** Returns the message and stores the text of the value at `path`; undefined if the guess was wrong. */
function parseAround(line: Buffer, part: Part, start: string, stop: string, path: string[]): object | undefined {
  const [from, to] = [start.length, line.length - stop.length];
  const bytes = line.subarray(from, to);
  try {
    // Decoding as Latin-1 is several times faster, and almost all text is ASCII.
    const text = isAscii(bytes) ? part(from, to) : bytes.toString();
    // Each part is valid JSON on its own, so the split is correct, whatever the value contains.
    const value: unknown = JSON.parse(text);
    const message = JSON.parse(`${start}null${stop}`) as Record<string, unknown>;
    let holder = message;
    for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
    const key = path.at(-1) as string;
    if (typeof value !== 'object' || value === null || holder[key] !== null) return undefined;
    holder[key] = value;
    if (isUnambiguous(bytes, text, key === 'arguments' ? value : undefined))
      originalTexts.set(value, bytes.length < minLongBytes ? text : bytes);
    return message;
  } catch {
    return undefined;
  }
}

/**
 * Returns true if every parser reads the text as the same value. An HTTP body may contain line breaks, and many servers also
 * end a line at a carriage return, so a message between two carriage returns would bypass the rules and the user. Invalid
 * UTF-8 makes a strict parser close the connection. With duplicate keys, another parser may use the value that the user did
 * not approve.
 */
function isUnambiguous(bytes: Buffer, text: string, approved: object | undefined): boolean {
  if (bytes.includes(0x0a) || bytes.includes(0x0d) || !isUtf8(bytes)) return false;
  return approved === undefined || hasUniqueKeys(text, approved);
}

/**
 * Returns the value for display and for comparing calls. A number that JavaScript cannot represent becomes a string with its
 * original digits, because servers receive the original text.
 */
export function originalText<T extends object>(value: T): T {
  const text = originalTexts.get(value)?.toString();
  return text === undefined || !longNumber.test(text) ? value : JSON.parse(withQuotedNumbers(text));
}

/** A number with many digits or an exponent. A reviver would be called for every value, which takes 20 times longer. */
const longNumber = /-?\d[\d.]{15,}(?:[eE][+-]?\d+)?|-?\d[\d.]*[eE][+-]?\d+/;

function withQuotedNumbers(text: string): string {
  const numbers = new RegExp(longNumber, 'g');
  let written = '';
  let from = 0;
  /** The end of the last string before the number. */
  let outside = 0;
  let quote = text.indexOf('"');
  for (let found = numbers.exec(text); found; found = numbers.exec(text)) {
    for (; quote >= 0 && quote < found.index; quote = text.indexOf('"', outside)) outside = endOfString(text, quote);
    if (outside > found.index) numbers.lastIndex = outside;
    else if (!isExact(Number(found[0]))) {
      written += `${text.slice(from, found.index)}"${found[0]}"`;
      from = numbers.lastIndex;
    }
  }
  return written + text.slice(from);
}

/** The offset after the string that starts at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

const isExact = (value: number) => Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
}

/** Serializes a message. A value that `parseLine` parsed is written with its original text. */
export function lineOf(message: Message): Line {
  const pieces = piecesOf(message);
  if (!pieces) return `${JSON.stringify(message)}\n`;
  const [start, text, stop] = pieces;
  return typeof text === 'string' ? `${start}${text}${stop}\n` : [start, text, `${stop}\n`];
}

/** The JSON of a message around the original text of a value that `parseLine` parsed; undefined if it has none. */
export function piecesOf(message: Message): [start: string, text: string | Buffer, stop: string] | undefined {
  const result = hasOriginalText(message.result);
  if (result) return [`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`, result, '}'];
  const params = message.params as { arguments?: unknown } | undefined;
  const given = hasOriginalText(params?.arguments);
  if (!given) return undefined;
  const { id, method } = message;
  const { arguments: _, ...rest } = params as object & { arguments: unknown };
  const others = JSON.stringify({ jsonrpc: '2.0', id, method, params: rest });
  // The last two braces of `…"params":{…}}` close the parameters and the message.
  const comma = others.endsWith('{}}') ? '' : ',';
  return [`${others.slice(0, -2)}${comma}"arguments":`, given, '}}'];
}

/** Returns the original text of a value (bytes if it is long); undefined if parsers could read it differently. */
export function hasOriginalText(value: unknown): string | Buffer | undefined {
  return typeof value === 'object' && value !== null ? originalTexts.get(value) : undefined;
}

/**
 * Returns true if no object in `text` has a duplicate key. In valid JSON a colon follows each key and otherwise only occurs in strings,
 * so if the text has more colons than the parsed `value`, a duplicate key was dropped.
 */
function hasUniqueKeys(text: string, value: unknown): boolean {
  return !escapedColon.test(text) && colonsIn(text) === colonsOf(value);
}

/**
 * A colon written like this counts only in the parsed value, so it could hide a dropped key. Ordinary programs never
 * write it.
 */
const escapedColon = /\\u003a/i;

function colonsOf(value: unknown): number {
  if (typeof value === 'string') return colonsIn(value);
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += colonsOf(item);
  else
    for (const key of Object.keys(value))
      count += 1 + colonsIn(key) + colonsOf((value as Record<string, unknown>)[key]);
  return count;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}
