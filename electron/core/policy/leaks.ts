/**
 * Finds addresses that carry data away: a tool that only reads can still send text to another site as part of the
 * address that it opens.
 */
import { type Arguments, stringsIn } from './argument-values.ts';
import { type ReceivedResult, type ReceivedText, receivedText } from './received-text.ts';

/** As long as a hash or a key in base64 or hexadecimal. */
const opaqueRun = /[A-Za-z0-9+/=%]{32,}/;
/** Longer addresses are rare, and comparing them would hold Core. */
const maxAddress = 8_000;
const maxAddresses = 20;

/**
 * Why an address among the arguments may carry data away; undefined if none does. An address that is in a result carries
 * nothing that its site does not know.
 */
export async function leakIn(args: Arguments, results: readonly ReceivedResult[]): Promise<string | undefined> {
  // Before its first result, the client has nothing to carry away.
  if (results.length === 0) return undefined;
  const received = await receivedText(results);
  for (const { value } of addressesIn(args).slice(0, maxAddresses)) {
    const reason = await leakOf(value.trim().slice(0, maxAddress), received);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether any argument is the address of a site. */
export const namesAddress = (args: Arguments): boolean => addressesIn(args).length > 0;

const addressesIn = (args: Arguments) =>
  stringsIn(args)?.filter(({ value, isKey }) => !isKey && /^\s*https?:\/\//i.test(value)) ?? [];

async function leakOf(address: string, received: ReceivedText): Promise<string | undefined> {
  const afterScheme = address.indexOf('://') + 3;
  const added = address.slice(await received.longestStartOf(address, afterScheme));
  if (await received.sharesTextWith(added)) return 'The address contains text from an earlier result.';
  return added.split(/[/?&#=.:@-]/).some(isOpaque)
    ? 'The address contains a long run of characters that may be encoded data.'
    : undefined;
}

/** Plain words and dates are no encoded data. */
const isOpaque = (part: string) => opaqueRun.test(part) && /\d/.test(part) && /[A-Za-z]/.test(part);
