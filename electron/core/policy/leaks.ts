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

/**
 * Why an address among the arguments may carry data away; undefined if none does. `strings` are the results that the client
 * has received. An address that is in a result carries nothing that its site does not know.
 */
export async function leakIn(args: Arguments, strings: readonly string[]): Promise<string | undefined> {
  // Before its first result, the client has nothing to carry away.
  if (strings.length === 0) return undefined;
  const addresses = addressesIn(args);
  const pause = createSlices();
  for (const { value } of addresses.slice(0, maxAddresses)) {
    const reason = await leakOf(value.trim().slice(0, maxAddress), strings, pause);
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
  strings: readonly string[],
  pause: () => Promise<void>,
): Promise<string | undefined> {
  let known = 0;
  for (const text of strings) {
    await pause();
    known = Math.max(known, lengthOfPrefixIn(text, address, known));
  }
  const added = addedBy(address, known);
  const pieces = grams(readable(added));
  if (pieces.size > 0)
    for (const text of strings) {
      await pause();
      if (hasGram(readable(text), pieces)) return 'The address contains text from an earlier result.';
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

/** A string in which only letters and digits count, so that another separator hides nothing. */
function readable(text: string): string {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // It contains a percent sign that encodes nothing.
  }
  return plain.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
}

function grams(text: string): Set<string> {
  const all = new Set<string>();
  for (let at = 0; at + minCopied <= text.length; at += 1) all.add(text.slice(at, at + minCopied));
  return all;
}

function hasGram(text: string, pieces: ReadonlySet<string>): boolean {
  for (let at = 0; at + minCopied <= text.length; at += 1) if (pieces.has(text.slice(at, at + minCopied))) return true;
  return false;
}
