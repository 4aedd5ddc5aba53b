/** Extracts the sections with servers from a JSON file of hundreds of megabytes without parsing the rest. */

import { fail } from '../../../../shared/failure.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import { createSlices } from '../../async/slices.ts';
import { costlyMessage, createParseCost } from '../../jsonrpc/parse-cost.ts';

const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);

/** Bytes of one value to scan before looking at the clock. A longer key, or more blanks or backslashes in a row, is malformed. */
const stride = 64 * 1024;
/** Sections with content; more would take long to read. */
const maxSections = 5_000;

interface Scan {
  bytes: Buffer;
  /** The document with only the wanted values. */
  result: Record<string, unknown>;
  breathe(): Promise<void>;
  /** Parses the JSON between two positions; undefined if it is malformed. Throws if all parsed values are too many. */
  parse(start: number, end: number): Promise<unknown>;
}

/**
 * The document in `bytes` with only the values at `paths` (`*` matches any key). Expects strict UTF-8 JSON with an object at
 * the root; otherwise returns undefined. Throws CLIENT_FILE_INVALID if parsing the values would take too long.
 */
export async function cutSections(
  bytes: Buffer,
  paths: string[][],
  file: string,
): Promise<Record<string, unknown> | undefined> {
  const breathe = createSlices();
  const scan: Scan = { bytes, result: {}, breathe, parse: createParser(bytes, breathe, file) };
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== 0x7b) return undefined;
  const end = await walkObject(scan, start, [], paths);
  return end === undefined || skipSpace(bytes, end) !== bytes.length ? undefined : scan.result;
}

function createParser(bytes: Buffer, breathe: Scan['breathe'], file: string): Scan['parse'] {
  const cost = createParseCost();
  let sections = 0;
  return async (start, end) => {
    if (end - start > '{}'.length) sections += 1;
    for (let at = start; at < end; at += stride) {
      cost.add(bytes.subarray(at, Math.min(at + stride, end)));
      if (cost.isTooHigh() || sections > maxSections)
        throw fail('CLIENT_FILE_INVALID', `${file} cannot be used: its list of servers ${costlyMessage}.`, { file });
      await breathe();
    }
    return parseJson(bytes.toString('utf8', start, end));
  };
}

/** Visits the members of the object at `start`. Returns the position after it, or undefined if it is malformed. */
async function walkObject(scan: Scan, start: number, at: string[], paths: string[][]): Promise<number | undefined> {
  const { bytes } = scan;
  let position = skipSpace(bytes, start + 1);
  if (bytes[position] === 0x7d) return position + 1;
  while (bytes[position] === quote) {
    await scan.breathe();
    const keyEnd = endOfKey(bytes, position);
    if (keyEnd === undefined) return undefined;
    const here = [...at, String(keyAt(bytes, position, keyEnd))];
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== 0x3a) return undefined;
    const valueStart = skipSpace(bytes, colon + 1);
    const wanted = paths.filter(
      (path) => path.length >= here.length && here.every((key, index) => path[index] === '*' || path[index] === key),
    );
    const whole = wanted.some((path) => path.length === here.length);
    const deeper = !whole && wanted.length > 0 && bytes[valueStart] === 0x7b;
    const valueEnd = deeper ? await walkObject(scan, valueStart, here, paths) : await skipValue(scan, valueStart);
    if (valueEnd === undefined) return undefined;
    if (whole) {
      const value = await scan.parse(valueStart, valueEnd);
      if (value === undefined) return undefined;
      // Most of a user's projects have no servers.
      if (here.length < 3 || valueEnd - valueStart > '{}'.length) put(scan.result, here, value);
    }
    position = skipSpace(bytes, valueEnd);
    if (bytes[position] === 0x7d) return position + 1;
    if (bytes[position] !== 0x2c) return undefined;
    position = skipSpace(bytes, position + 1);
  }
  return undefined;
}

async function skipValue({ bytes, breathe }: Scan, start: number): Promise<number | undefined> {
  let depth = 0;
  let position = start;
  let isInString = false;
  let next = start + stride;
  while (position < bytes.length) {
    if (position >= next) {
      next = position + stride;
      await breathe();
    }
    const byte = bytes[position] as number;
    if (isInString || byte === quote) {
      const near = bytes.subarray(0, position + stride);
      const at = isInString ? near.indexOf(quote, position) : position;
      if (at < 0) {
        position = near.length;
        continue;
      }
      const slashes = isInString ? slashesBefore(bytes, at) : 0;
      if (slashes > stride) return undefined;
      if (slashes % 2 === 0) isInString = !isInString;
      position = at + 1;
      if (!isInString && depth === 0) return position;
    } else {
      if (openers.has(byte)) depth += 1;
      else if (closers.has(byte)) {
        if (depth === 0) return position;
        depth -= 1;
        if (depth === 0) return position + 1;
      } else if (depth === 0 && byte === 0x2c) return position;
      position += 1;
    }
  }
  return undefined;
}

function slashesBefore(bytes: Buffer, at: number): number {
  let slashes = 0;
  while (slashes <= stride && bytes[at - 1 - slashes] === backslash) slashes += 1;
  return slashes;
}

function endOfKey(bytes: Buffer, start: number): number | undefined {
  const near = bytes.subarray(0, start + stride);
  let at = near.indexOf(quote, start + 1);
  while (at >= 0 && slashesBefore(near, at) % 2 === 1) at = near.indexOf(quote, at + 1);
  return at < 0 ? undefined : at + 1;
}

function skipSpace(bytes: Buffer, start: number): number {
  const end = Math.min(bytes.length, start + stride);
  let position = start;
  while (position < end && (bytes[position] as number) <= 0x20) position += 1;
  return position;
}

const keyAt = (bytes: Buffer, start: number, end: number) => parseJson(bytes.toString('utf8', start, end));

function put(result: Record<string, unknown>, path: string[], value: unknown): void {
  let target = result;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(target, key)) Object.defineProperty(target, key, { value: {}, enumerable: true });
    target = target[key] as Record<string, unknown>;
  }
  Object.defineProperty(target, path.at(-1) as string, { value, enumerable: true, configurable: true });
}
