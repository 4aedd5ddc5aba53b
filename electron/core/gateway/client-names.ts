/** The names and identities of clients: a name is the claim of the client itself, an identity is not. */

/** The client of calls that the user starts in a UI or a terminal. No other client is shown under this name. */
export const userName = 'Gatehouse';

/** The name that the client gives itself, marked if it would be taken for the user's own. */
export function displayName(claimed = 'unknown'): string {
  return isOwnName(claimed) ? `${claimed} (an MCP client)` : claimed;
}

/** The ID of a token is new when it is rotated, so the grants of a token that leaked end with it. */
export const identityOfToken = (tokenId: string) => JSON.stringify(['token', tokenId]);

/** The entry in a client's config file. Without one, the name of the client has to do, apart from all entries. */
export const identityOfBridge = (entry: string | undefined, name = '') =>
  JSON.stringify(entry === undefined ? ['bridge', name] : ['entry', entry]);

/** Ignores everything but alphabetic characters, so that no blank, invisible character or different case hides the name. */
function isOwnName(name: string): boolean {
  return name.normalize('NFKD').replace(/\P{L}/gu, '').toLowerCase() === userName.toLowerCase();
}
