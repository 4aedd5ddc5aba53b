/** The names and identities of clients. A client chooses its own name, but not its identity. */
import { userName } from '../../../shared/model/call.ts';
import type { ClientDefinition } from '../clients/client-definition.ts';
import { definitionOf, knownClients } from '../clients/known-clients.ts';

/**
 * The name of a client that connects with a token. A grant is bound to the token, so the token comes first; the name that
 * the client states is quoted.
 */
export const nameOfToken = (token: string, stated?: string) => `token ${token}${saysItIs(stated)}`;

/**
 * The name of a client that connects through the bridge. A known client's name is only shown as it is if the bridge was
 * started by that client's own entry.
 */
export function nameOfBridge(entry: string | undefined, stated = entry ?? 'unknown'): string {
  const client = knownClients.find(({ id }) => id === entry);
  if (!client) return isReserved(stated) ? `${stated} (an MCP client)` : stated;
  if (definitionOf({ stated }) === client) return stated;
  if (namesOf(client).includes(alphabetic(stated))) return client.app;
  return client.infoNames || isReserved(stated) ? `entry of ${client.app}${saysItIs(stated)}` : client.app;
}

const saysItIs = (stated?: string) => (stated === undefined ? '' : ` (says it is “${stated}”)`);

/** A token gets a new ID when it is rotated, so the grants of a leaked token end with it. */
export const identityOfToken = (tokenId: string) => JSON.stringify(['token', tokenId]);

/** Identifies the entry in a client's config file. A bridge without an entry has no identity, whatever the client says. */
export const identityOfBridge = (entry: string | undefined) =>
  entry === undefined ? undefined : JSON.stringify(['entry', entry]);

/**
 * True if the name could be mistaken for the user's own calls, for a known client, or for one of our own names. Ignores
 * all but alphabetic characters, so that no space, invisible character or difference in case disguises the name.
 */
function isReserved(name: string): boolean {
  const plain = alphabetic(name);
  return known.has(plain) || /^(?:token|entryof)|saysitis/.test(plain) || definitionOf({ stated: name }) !== undefined;
}

function alphabetic(name: string): string {
  return name.normalize('NFKD').replace(/\P{L}/gu, '').toLowerCase();
}

function namesOf({ id, app, aliases, infoNames = [] }: ClientDefinition): string[] {
  return [id, app, ...aliases, ...infoNames].map(alphabetic);
}

const known = new Set([...knownClients.flatMap(namesOf), alphabetic(userName), 'you']);
