/**
 * Finds addresses that carry data away: a tool that only reads can still send text to another site as part of the
 * address that it opens.
 */
import { addressName, wordsOf } from './argument-names.ts';
import { type Arguments, stringsIn } from './argument-values.ts';
import { type ReceivedResult, type ReceivedText, receivedText } from './received-text.ts';

/** As long as a hash or a key in base64 or hexadecimal. */
const opaqueRun = /[A-Za-z0-9+/=%]{32,}/;
/** Longer addresses, and more of them, are rare, and comparing them would hold Core. */
const maxAddress = 8_000;
const maxAddresses = 500;

/**
 * Why an address among the arguments, other than an allowed one, may carry data away; undefined if none does. An address
 * that is in a result carries nothing that its site does not know.
 */
export async function leakIn(
  args: Arguments,
  results: readonly ReceivedResult[],
  isAllowed: (address: string) => boolean,
): Promise<string | undefined> {
  // Before its first result, the client has nothing to carry away.
  if (results.length === 0) return undefined;
  const addresses = addressesIn(args)?.filter((address) => !isAllowed(address));
  if (!addresses || addresses.length > maxAddresses) return 'The call has more addresses than Toolkeep compares.';
  if (addresses.length === 0) return undefined;
  const received = await receivedText(results);
  for (const address of addresses) {
    const reason = await leakOf(address.trim(), received);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Such as `https://`, `//` and `view-source:https://`. */
const withScheme = /^\s*(?:[a-z][a-z\d+.-]*:)*\/\/[^/\s]/i;
/** The start of an address without a scheme. A file may have such a name, too. */
const host = /^\s*[^\s/?#@:]+\.[a-z]{2,}\.?(?:[:/?#]|\s*$)/i;

/** Whether any argument is the address of a site, or may be one because there are too many to check. */
export const namesAddress = (args: Arguments): boolean => addressesIn(args)?.length !== 0;

/** The values and names that are the address of a site; undefined if there are too many to check. */
const addressesIn = (args: Arguments): string[] | undefined => {
  const found = stringsIn(args)?.filter(
    ({ name, value, isKey }) =>
      withScheme.test(value) || (!isKey && addressName.test(wordsOf(name)) && host.test(value)),
  );
  return found && [...Object.keys(args).filter((name) => withScheme.test(name)), ...found.map(({ value }) => value)];
};

async function leakOf(given: string, received: ReceivedText): Promise<string | undefined> {
  if (given.length > maxAddress) return 'The address is longer than Toolkeep compares.';
  // Results contain addresses with their scheme.
  const address = given.includes('://') ? given : `https://${given.replace(/^\/\//, '')}`;
  const afterScheme = address.indexOf('://') + 3;
  const added = address.slice(await received.longestStartOf(address, afterScheme));
  if (await received.sharesTextWith(added)) return 'The address contains text from an earlier result.';
  return added.split(/[/?&#=.:@-]/).some(isOpaque)
    ? 'The address contains a long run of characters that may be encoded data.'
    : undefined;
}

/** Plain words and dates are no encoded data. */
const isOpaque = (part: string) => opaqueRun.test(part) && /\d/.test(part) && /[A-Za-z]/.test(part);
