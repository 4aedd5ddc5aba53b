/**
 * What only passes through goes on byte for byte (row N4). The result or the arguments of a call are parsed, since rules
 * and the history look into them, but their text is kept and sent on: written anew, a number beyond 2⁵³ would be another
 * one, and a picture of a megabyte would cost milliseconds.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { keysStandOnce } from './keys.ts';
import type { Line } from './writer.ts';

/** The text of a parsed value as it came; bytes where it is long. */
const texts = new WeakMap<object, string | Buffer>();
const longFrom = 16 * 1024;

/** `"key": "short plain text or a number"`, or a flat `_meta`: all that stands beside the value in nearly every message. */
const member = String.raw`(?:"[a-z]{1,20}": ?(?:"[ !#-\[\]-~]{0,200}"|\d{1,16})|"_meta": ?\{[ -z|~]{0,300}\})`;
const before = String.raw`\{(?:${member}, ?)*`;
const after = String.raw`(?:, ?${member})*\}`;
const end = String.raw`\s*$`;

/** What stands in front of a value and behind it. A guess: that it is one is seen when both parts are valid JSON. */
const places = [
  { path: ['result'], start: `^${before}"result": ?`, end: after + end },
  {
    path: ['params', 'arguments', 'arguments'],
    start: `^${before}"params": ?${before}"arguments": ?${before}"arguments": ?`,
    end: after + after + after + end,
  },
  { path: ['params', 'arguments'], start: `^${before}"params": ?${before}"arguments": ?`, end: after + after + end },
].map((place) => ({ path: place.path, start: new RegExp(place.start), end: new RegExp(place.end) }));
/** So far from the ends of a line the value is looked for. */
const reach = 1024;

/** Parses a line. Throws as JSON.parse does. */
export function parseLine(line: Buffer): unknown {
  // Parts of a text that is there already cost nothing; of a long line only the ends are read so.
  const whole = line.length < longFrom ? line.toString('latin1') : undefined;
  const part: Part = (from, to) => whole?.slice(from, to) ?? line.toString('latin1', from, to);
  const head = part(0, reach);
  for (const place of places) {
    const start = place.start.exec(head)?.[0];
    if (start === undefined) continue;
    const stop = place.end.exec(part(Math.max(start.length, line.length - reach), line.length))?.[0];
    const parsed = stop === undefined ? undefined : parseAround(line, part, start, stop, place.path);
    if (parsed) return parsed;
  }
  return JSON.parse(isAscii(line) ? part(0, line.length) : line.toString());
}

/** Bytes of a line as Latin 1. */
type Part = (from: number, to: number) => string;

/** The message, with the text of the value at `path` kept; undefined when the parts are not what they seemed. */
function parseAround(line: Buffer, part: Part, start: string, stop: string, path: string[]): object | undefined {
  const [from, to] = [start.length, line.length - stop.length];
  const bytes = line.subarray(from, to);
  try {
    // As Latin 1 it is several times as quick, and nearly all there is.
    const text = isAscii(bytes) ? part(from, to) : bytes.toString();
    // Each part is valid on its own, so together they are what the line says, whatever the value holds.
    const value: unknown = JSON.parse(text);
    const message = JSON.parse(`${start}null${stop}`) as Record<string, unknown>;
    let holder = message;
    for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
    const key = path.at(-1) as string;
    if (typeof value !== 'object' || value === null || holder[key] !== null) return undefined;
    holder[key] = value;
    if (isReadAlike(bytes, text, key === 'arguments' ? value : undefined))
      texts.set(value, bytes.length < longFrom ? text : bytes);
    return message;
  } catch {
    return undefined;
  }
}

/**
 * Whether every reader takes the text for the one value that it is here. A body of HTTP may hold line breaks, and many end a
 * line at a carriage return too: a message between two of them would be carried out by a server although no rule and no
 * person ever saw it. Bytes that are no text end the connection of a strict reader. And of a key that stands twice, another
 * reader may take the one that nobody approved.
 */
function isReadAlike(bytes: Buffer, text: string, approved: object | undefined): boolean {
  if (bytes.includes(0x0a) || bytes.includes(0x0d) || !isUtf8(bytes)) return false;
  return approved === undefined || keysStandOnce(text, approved);
}

/**
 * For people, and for telling calls apart: the value with the digits that its text has where a number here cannot hold them
 * (those as text), since it is the text that servers get.
 */
export function asWritten<T extends object>(value: T): T {
  const text = texts.get(value);
  if (text === undefined) return value;
  const exact = (_key: string, inner: unknown, { source }: { source?: string }) =>
    typeof inner !== 'number' || isExact(inner) ? inner : source;
  return JSON.parse(text.toString(), exact as (key: string, value: unknown) => unknown);
}

const isExact = (value: number) => Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
}

/** The line of a message; a value in it that has not been touched since it was parsed goes out as it came. */
export function lineOf(message: Message): Line {
  const result = textKept(message.result);
  if (result) return joined(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":`, result, '}\n');
  const params = message.params as { arguments?: unknown } | undefined;
  const given = textKept(params?.arguments);
  if (!given) return `${JSON.stringify(message)}\n`;
  const { id, method } = message;
  const { arguments: _, ...rest } = params as object & { arguments: unknown };
  const others = JSON.stringify({ jsonrpc: '2.0', id, method, params: rest });
  // Of `…"params":{…}}` the two last braces are the ends of the parameters and of the message.
  const comma = others.endsWith('{}}') ? '' : ',';
  return joined(`${others.slice(0, -2)}${comma}"arguments":`, given, '}}\n');
}

/** The text of a value as it came, bytes where it is long; undefined where it would not be read alike by all. */
export function textKept(value: unknown): string | Buffer | undefined {
  return typeof value === 'object' && value !== null ? texts.get(value) : undefined;
}

function joined(start: string, text: string | Buffer, stop: string): Line {
  return typeof text === 'string' ? start + text + stop : [start, text, stop];
}
