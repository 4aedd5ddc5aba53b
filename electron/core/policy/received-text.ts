/** The text of the results that a client received, indexed so that a check of an address need not read all of it again. */
import { createSlices } from '../async/slices.ts';

/** A result that the client has received, as JSON. The object stays the same as long as Core keeps the result. */
export interface ReceivedResult {
  readonly text: string;
}

export type ReceivedText = Awaited<ReturnType<typeof receivedText>>;

/** Shorter strings appear in addresses by chance. */
const minShared = 14;
/** The scheme and a few characters. Addresses that share less count as different. */
const minStart = 12;
/** Any `minShared` characters contain a complete block of the indexed text. */
const blockLength = minShared / 2;
/** About 1 MB of text. A power of two, because it is the number of hashes, too. */
const blocksPerSegment = 1 << 17;
/** Instead of the number of a block. */
const none = -1;
/** More finds could hide a copy behind text that repeats its words, so they count as one. */
const maxFinds = 50_000;
/** A check must not delay other calls. */
const maxSliceMs = 4;

const segmentsOf = new WeakMap<ReceivedResult, Segment>();

/** The text of the results of one client, oldest first. Indexes those that are new. */
export async function receivedText(results: readonly ReceivedResult[]) {
  const pause = createSlices(maxSliceMs);
  const segments = new Set<Segment>();
  let last: Segment | undefined;
  for (const result of results) {
    let segment = segmentsOf.get(result);
    if (!segment) {
      await pause();
      const text = readable(unescaped(result.text));
      segment = last?.hasSpaceFor(text) ? last : createSegment(text.length);
      segment.add(text, result.text);
      segmentsOf.set(result, segment);
    }
    segments.add(segment);
    last = segment;
  }

  return {
    /** The length of the longest start of the address, of more than `least` characters, that is in the text; else `least`. */
    async longestStartOf(address: string, least: number): Promise<number> {
      let length = least;
      for (const segment of segments) {
        await pause();
        length = segment.longestStartOf(address, length);
      }
      return length;
    },
    /** Whether the text contains 14 letters and digits in a row of the other text, whatever is between them and however they are encoded. */
    async sharesTextWith(other: string): Promise<boolean> {
      const wanted = readable(other);
      const hashes = Int32Array.from({ length: Math.max(wanted.length - blockLength + 1, 0) }, (_, at) =>
        hashAt(wanted, at),
      );
      for (const segment of segments) {
        await pause();
        if (segment.shares(wanted, hashes)) return true;
      }
      return false;
    },
  };
}

/** The text with only its letters and digits. */
const readable = (text: string) =>
  text
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** JSON with spaces instead of line breaks, and without `\u` escapes, also in JSON within JSON. */
const unescaped = (json: string) =>
  json.replace(/\\+(?:u([0-9a-f]{4})|[nrt])/gi, (_, code?: string) =>
    code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16)),
  );

type Segment = ReturnType<typeof createSegment>;

/** The text of consecutive results of one client. */
function createSegment(minLength: number) {
  const maxBlocks = Math.max(blocksPerSegment, Math.floor(minLength / blockLength));
  /** The addresses in the text by their start. */
  const addresses = new Map<string, Set<string>>();
  /** The number of the newest block of each hash. */
  const newest = new Int32Array(blocksPerSegment).fill(none);
  /** For each block: the one before it with the same hash, the number of its text, and its place there. */
  const [before, textOf, placeOf] = [new Int32Array(maxBlocks), new Int32Array(maxBlocks), new Int32Array(maxBlocks)];
  const texts: string[] = [];
  let blocks = 0;

  return {
    hasSpaceFor: (text: string): boolean => blocks + Math.floor(text.length / blockLength) <= maxBlocks,
    add(text: string, json: string): void {
      for (const [, address = ''] of json.matchAll(/(?=(https?:\/\/[^\s"\\]+))/gi)) {
        const start = address.slice(0, minStart);
        addresses.set(start, (addresses.get(start) ?? new Set()).add(address));
      }
      for (let place = 0; place + blockLength <= text.length; place += blockLength) {
        const hash = hashAt(text, place);
        before[blocks] = newest[hash] ?? none;
        textOf[blocks] = texts.length;
        placeOf[blocks] = place;
        newest[hash] = blocks;
        blocks += 1;
      }
      texts.push(text);
    },
    longestStartOf(address: string, least: number): number {
      let length = least;
      for (const other of addresses.get(address.slice(0, minStart)) ?? [])
        if (other.charCodeAt(length) === address.charCodeAt(length))
          length = Math.max(length, sharedStart(other, address));
      return length;
    },
    shares(wanted: string, hashes: Int32Array): boolean {
      let finds = 0;
      for (let at = 0; at < hashes.length; at += 1)
        for (let block = newest[hashes[at] ?? 0] ?? none; block !== none; block = before[block] ?? none) {
          finds += 1;
          const text = texts[textOf[block] ?? 0] ?? '';
          if (finds > maxFinds || sharedLength(text, placeOf[block] ?? 0, wanted, at) >= minShared) return true;
        }
      return false;
    },
  };
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + blockLength; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (blocksPerSegment - 1);
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** The number of characters that the strings share around a place where both may have the same block. */
function sharedLength(text: string, found: number, wanted: string, at: number): number {
  let after = 0;
  while (at + after < wanted.length && text.charCodeAt(found + after) === wanted.charCodeAt(at + after)) after += 1;
  if (after < blockLength) return 0;
  let before = 0;
  while (before < at && text.charCodeAt(found - before - 1) === wanted.charCodeAt(at - before - 1)) before += 1;
  return before + after;
}
