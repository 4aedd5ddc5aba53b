/** Removes the secrets of a removed server from the vault. */
import type { Connection, ServerConfig } from '../../../shared/model/server.ts';
import { replacedName } from '../registry/template.ts';
import { secretNames } from '../secrets/resolve.ts';
import type { Vault } from '../secrets/vault.ts';

/** Sealed values by name, to give back to the vault. */
export type SealedSecrets = ReadonlyMap<string, string | undefined>;

/** Removes what only this server used, and resolves with it. `others`: all other servers. */
export async function removeSecrets(
  vault: Pick<Vault, 'has' | 'replace'>,
  server: ServerConfig,
  others: readonly ServerConfig[],
): Promise<SealedSecrets> {
  const kept = new Set(others.flatMap(secretsOf));
  const own = secretsOf(server).filter((name) => vault.has(name) && !kept.has(name));
  return vault.replace(new Map(own.map((name) => [name, undefined])));
}

/** Those of the version to go back to, too. */
function secretsOf({ name, connection, previous }: ServerConfig): string[] {
  const used = (one: Connection) => secretNames(one, name);
  if (!previous) return used(connection);
  return [...used(connection), ...used(previous.connection), ...(previous.secrets ?? []).map(replacedName)];
}
