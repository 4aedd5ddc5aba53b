/** Splits a registry page into entries while it arrives, so that no page is ever parsed or stored as a whole. */

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;
const isOpen = (byte: number) => byte === openBrace || byte === openBracket;
const isClose = (byte: number) => byte === 0x7d || byte === 0x5d;

/**
 * `onEntry` receives the text of each object in the `servers` array, or undefined for one of more than `maxBytes`. Its
 * syntax is not checked.
 */
export function createPageSplitter(maxBytes: number, onEntry: (text: string | undefined) => void) {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** The key of the top-level object that is being read. */
  let section = '';
  let isAtKey = false;
  let isArray = false;
  let hasEnded = false;
  let metadata: string | undefined;
  /** The part that is being captured. */
  let capturing: 'key' | 'entry' | 'metadata' | undefined;
  let pieces: Uint8Array[] = [];
  let size = 0;

  function capture(piece: Uint8Array): void {
    size += piece.length;
    if (size <= maxBytes) pieces.push(piece);
    else pieces = [];
  }

  function finish(): void {
    const text = size <= maxBytes ? Buffer.concat(pieces).toString('utf8') : undefined;
    if (capturing === 'key') section = text ?? '';
    else if (capturing === 'entry') onEntry(text);
    else metadata = text;
    capturing = undefined;
    pieces = [];
    size = 0;
  }

  /** Which part begins at this byte, outside strings; `depth` is the nesting depth before it. */
  function captureAt(byte: number): typeof capturing {
    if (depth === 1 && byte === quote && isAtKey) return 'key';
    if (byte !== openBrace) return undefined;
    if (depth === 1 && section === 'metadata') return 'metadata';
    return depth === 2 && section === 'servers' && isArray ? 'entry' : undefined;
  }

  function structure(byte: number): void {
    if (byte === quote) inString = true;
    else if (isOpen(byte)) {
      if (depth === 0) isAtKey = true;
      if (depth === 1) isArray = byte === openBracket;
      depth += 1;
    } else if (isClose(byte)) {
      depth -= 1;
      if (depth === 0) hasEnded = true;
    } else if (depth === 1 && byte === comma) isAtKey = true;
    else if (depth === 1 && byte === colon) isAtKey = false;
  }

  return {
    push(chunk: Uint8Array): void {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] as number;
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) {
            inString = false;
            if (capturing !== 'key') continue;
            capture(chunk.subarray(from, at));
            finish();
          }
          continue;
        }
        const start = capturing === undefined ? captureAt(byte) : undefined;
        if (start) {
          capturing = start;
          from = start === 'key' ? at + 1 : at;
        }
        structure(byte);
        const ends = (capturing === 'entry' && depth === 2) || (capturing === 'metadata' && depth === 1);
        if (!ends) continue;
        capture(chunk.subarray(from, at + 1));
        finish();
      }
      if (capturing) capture(chunk.subarray(from));
    },
    /** The `metadata` object as text; undefined if the page is incomplete or has none. */
    end: (): { isComplete: boolean; metadata: string | undefined } => ({
      isComplete: hasEnded && depth === 0,
      metadata,
    }),
  };
}
