/** The names and identities of clients. A client chooses its own name, but not its identity. */

/** The client of calls that the user starts in a UI or a terminal. No other client is shown under this name. */
export const userName = 'Gatehouse';

/** The name that the client gives itself, marked if it could be mistaken for the user's own calls. */
export function displayName(claimed = 'unknown'): string {
  return isOwnName(claimed) ? `${claimed} (an MCP client)` : claimed;
}

/** A token gets a new ID when it is rotated, so the grants of a leaked token end with it. */
export const identityOfToken = (tokenId: string) => JSON.stringify(['token', tokenId]);

/**
 * Identifies the entry in a client's config file. Without an entry, uses the client's name, kept distinct from all
 * entries.
 */
export const identityOfBridge = (entry: string | undefined, name = '') =>
  JSON.stringify(entry === undefined ? ['bridge', name] : ['entry', entry]);

/**
 * Ignores all but alphabetic characters, so that no space, invisible character or difference in case disguises the
 * name.
 */
function isOwnName(name: string): boolean {
  return name.normalize('NFKD').replace(/\P{L}/gu, '').toLowerCase() === userName.toLowerCase();
}
