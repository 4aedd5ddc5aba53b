/**
 * Estimates how long `JSON.parse` would take, while the bytes arrive, because parsing cannot be interrupted. The size alone does
 * not say: 20 MB of text take 20 ms, and 20 MB of keys take half a second, since V8 creates a hidden class for each new
 * sequence of keys.
 */
export type ParseCost = ReturnType<typeof createParseCost>;

/** For messages: what is wrong with such a value. */
export const costlyMessage = 'has more keys and values, or more levels, than Toolkeep can read without a pause';

/** In nanoseconds. Each cost is at least the one measured for values that contain nothing else. */
const cost = { comma: 20, bracket: 120, key: 40, newKey: 500, string: 40, newShortString: 250 };
const usualLimit = 30_000_000;
/** V8 looks up strings of up to this many characters among all existing strings. */
const shortLength = 10;
/** A longer key always counts as new. */
const maxHashed = 64;
/** How many bytes of a long string are compared one by one. */
const nearby = 64;

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Estimating more would itself take too long. */
const maxCharacters = 8 * 1024 * 1024;
/** No message needs so many levels. Code that reads it may take a microsecond per level, or end with a stack overflow. */
const maxDepth = 5_000;
/** Bytes or characters. No value this short is too costly: three bytes cost at most 540 ns, and a level at most 2 µs. */
export const cheap = 16 * 1024;

/** For text that is already complete. */
export function isCostlyJson(text: string): boolean {
  if (text.length <= cheap) return false;
  if (text.length > maxCharacters) return true;
  const estimate = createParseCost();
  estimate.add(Buffer.from(text));
  return estimate.isTooHigh();
}

/** A random seed, so that servers cannot choose keys with equal hashes. */
const seed = Math.floor(Math.random() * 2 ** 32) | 0;
const mixed = (hash: number, value: number) => Math.imul(hash ^ value, 0x01000193);

/** `limit`: in nanoseconds. */
export function createParseCost(limit = usualLimit) {
  /** The parts of a value that may still be cheap. */
  let unread: Uint8Array[] = [];
  let size = 0;
  /** One bit per hash of a short string or of a sequence of keys. */
  let seen: Uint32Array | undefined;
  /** Per open list and object: the hash of its keys so far. */
  let sequences: number[] = [];
  let total = 0;
  let isInString = false;
  let isEscaped = false;
  let hasString = false;
  let hash = 0;
  let length = 0;

  function isNew(value: number): boolean {
    seen ??= new Uint32Array(2 ** 15);
    const bit = (value ^ (value >>> 15)) & 0xfffff;
    const word = bit >>> 5;
    const mask = 1 << (bit & 31);
    if (((seen[word] as number) & mask) !== 0) return false;
    seen[word] = (seen[word] as number) | mask;
    return true;
  }

  /** Returns the position of the last byte that it has read. */
  function readString(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] as number;
    if (isEscaped) isEscaped = false;
    else if (byte === quote) {
      isInString = false;
      hasString = true;
      return at;
    } else if (byte === backslash) isEscaped = true;
    else if (length >= maxHashed) return skip(bytes, at);
    hash = mixed(hash, byte);
    length += 1;
    return at;
  }

  /** Skips a long string up to the quote that ends it. `indexOf` is slow if quotes are close together. */
  function skip(bytes: Uint8Array, at: number): number {
    for (let from = at; ; ) {
      let end = from;
      const near = Math.min(from + nearby, bytes.length);
      while (end < near && bytes[end] !== quote) end += 1;
      if (end === near) {
        const found = bytes.indexOf(quote, end);
        end = found < 0 ? bytes.length : found;
      }
      let before = end - 1;
      while (before >= from && bytes[before] === backslash) before -= 1;
      isEscaped = (end - 1 - before) % 2 === 1;
      if (!isEscaped || end === bytes.length) return end - 1;
      isEscaped = false;
      from = end + 1;
    }
  }

  function endKey(): void {
    const top = sequences.length - 1;
    const sequence = mixed(mixed(sequences[top] ?? seed, hash), length);
    if (top >= 0) sequences[top] = sequence;
    total += cost.key + (length >= maxHashed || isNew(sequence) ? cost.newKey : 0);
    hasString = false;
  }

  function endValue(): void {
    if (hasString) total += length <= shortLength && isNew(hash) ? cost.newShortString : cost.string;
    hasString = false;
  }

  function readStructure(byte: number): void {
    if (byte === quote) {
      isInString = true;
      hash = seed;
      length = 0;
    } else if (byte === colon) {
      if (hasString) endKey();
    } else if (byte === comma) {
      endValue();
      total += cost.comma;
    } else if (byte === openList || byte === openObject) {
      sequences.push(seed);
      total += sequences.length > maxDepth ? limit : cost.bracket;
    } else if (byte === closeList || byte === closeObject) {
      endValue();
      sequences.pop();
    }
  }

  function read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && total <= limit; at += 1) {
      if (isInString) at = readString(bytes, at);
      else readStructure(bytes[at] as number);
    }
  }

  return {
    add(bytes: Uint8Array): void {
      size += bytes.length;
      unread.push(bytes);
      if (size <= cheap) return;
      for (const part of unread) read(part);
      unread = [];
    },
    /** True if parsing would hold the process for about 30 ms or longer. Reading the value takes further time. */
    isTooHigh: (): boolean => total > limit,
    /** Call before the next value of the same stream. */
    reset(): void {
      unread = [];
      size = 0;
      seen = undefined;
      sequences = [];
      total = 0;
      isInString = false;
      isEscaped = false;
      hasString = false;
    },
  };
}
