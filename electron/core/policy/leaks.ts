/**
 * Finds addresses that carry data away: a tool that only reads can still send text to another site as part of the
 * address that it opens.
 */
import { createSlices } from '../async/slices.ts';
import { type Arguments, stringsIn } from './argument-values.ts';

/** Shorter strings appear in addresses by chance. */
const minCopied = 16;
/** As long as a hash or a key in base64 or hexadecimal. */
const opaqueRun = /[A-Za-z0-9+/=%]{32,}/;
/** Longer addresses are rare, and comparing them would hold Core. */
const maxAddress = 8_000;
const maxAddresses = 20;
/** A check must not delay other calls. */
const maxSliceMs = 4;

/** A result that the client has received, as JSON. The object stays the same as long as Core keeps the result. */
export interface ReceivedResult {
  readonly text: string;
}

/**
 * Why an address among the arguments may carry data away; undefined if none does. An address that is in a result carries
 * nothing that its site does not know.
 */
export async function leakIn(args: Arguments, results: readonly ReceivedResult[]): Promise<string | undefined> {
  // Before its first result, the client has nothing to carry away.
  if (results.length === 0) return undefined;
  const pause = createSlices(maxSliceMs);
  for (const { value } of addressesIn(args).slice(0, maxAddresses)) {
    const reason = await leakOf(value.trim().slice(0, maxAddress), results, pause);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether any argument is the address of a site. */
export const namesAddress = (args: Arguments): boolean => addressesIn(args).length > 0;

const addressesIn = (args: Arguments) =>
  stringsIn(args)?.filter(({ value, isKey }) => !isKey && /^\s*https?:\/\//i.test(value)) ?? [];

async function leakOf(
  address: string,
  results: readonly ReceivedResult[],
  pause: () => Promise<void>,
): Promise<string | undefined> {
  let known = 0;
  for (const { text } of results) {
    await pause();
    known = Math.max(known, lengthOfPrefixIn(text, address, known));
  }
  const added = addedBy(address, known);
  const wanted = readable(added);
  const blocks = blocksOf(wanted);
  for (const result of results) {
    if (blocks.length === 0) break;
    await pause();
    if (sharesText(readableResult(result), wanted, blocks)) return 'The address contains text from an earlier result.';
  }
  return added.split(/[/?&#=.:@-]/).some(isOpaque)
    ? 'The address contains a long run of characters that may be encoded data.'
    : undefined;
}

/** Plain words and dates are no encoded data. */
const isOpaque = (part: string) => opaqueRun.test(part) && /\d/.test(part) && /[A-Za-z]/.test(part);

/** The length of the longest start of the address, of at least `least` characters, that the text contains. */
function lengthOfPrefixIn(text: string, address: string, least: number): number {
  let [low, high] = [least, address.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (text.includes(address.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The parts of the address that no result has: labels of the host, the path and the query. */
function addedBy(address: string, known: number): string {
  const scheme = address.indexOf('://') + 3;
  if (known >= address.length) return '';
  return address.slice(Math.max(scheme, known));
}

/** The text with only its letters and digits, so that another separator hides nothing. */
function readable(text: string): string {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // It contains a percent sign that encodes nothing.
  }
  return plain.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
}

const readableResults = new WeakMap<ReceivedResult, string>();

function readableResult(result: ReceivedResult): string {
  const known = readableResults.get(result);
  if (known !== undefined) return known;
  const made = readable(result.text);
  readableResults.set(result, made);
  return made;
}

/** Any 16 characters of the text contain one of its blocks, which are quick to find. */
const blockLength = minCopied / 2;

function blocksOf(text: string): { block: string; at: number }[] {
  if (text.length < minCopied) return [];
  return Array.from({ length: Math.floor(text.length / blockLength) }, (_, index) => {
    const at = index * blockLength;
    return { block: text.slice(at, at + blockLength), at };
  });
}

/** A block that is in a result more often is a common word. */
const maxFinds = 100;

/** Whether the strings share 16 characters in a row. */
function sharesText(text: string, wanted: string, blocks: ReturnType<typeof blocksOf>): boolean {
  return blocks.some(({ block, at }) => {
    let found = text.indexOf(block);
    for (let finds = 0; found >= 0 && finds < maxFinds; finds += 1) {
      if (sharedLength(text, found, wanted, at) >= minCopied) return true;
      found = text.indexOf(block, found + 1);
    }
    return false;
  });
}

/** The number of characters that the strings share around a place where both have the same block. */
function sharedLength(text: string, found: number, wanted: string, at: number): number {
  let before = 0;
  while (before < at && before < found && text[found - before - 1] === wanted[at - before - 1]) before += 1;
  let after = blockLength;
  while (at + after < wanted.length && text[found + after] === wanted[at + after]) after += 1;
  return before + after;
}
