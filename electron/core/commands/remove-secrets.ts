/** Removes the secrets of a removed server from the vault. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import { usedSecrets } from '../registry/template.ts';
import type { Vault } from '../secrets/vault.ts';

/** Sealed values by name, to return to the vault. */
export type SealedSecrets = ReadonlyMap<string, string>;

/** Removes the secrets stored for this server, unless a server in `others` uses them, and resolves with the removed ones. */
export async function removeSecrets(
  vault: Pick<Vault, 'has' | 'replace'>,
  server: ServerConfig,
  others: readonly ServerConfig[],
): Promise<SealedSecrets> {
  const { name, registry, previous } = server;
  const kept = new Set(others.flatMap(usedSecrets));
  const starts = [name, registry?.owner ?? name, previous?.registry.owner ?? name].map((owner) => `${owner}/`);
  const isOwn = (secret: string) => starts.some((start) => secret.replace(/^previous:/, '').startsWith(start));
  const own = usedSecrets(server).filter((secret) => vault.has(secret) && !kept.has(secret) && isOwn(secret));
  const before = await vault.replace(new Map(own.map((secret) => [secret, undefined])));
  return new Map([...before].flatMap(([secret, value]) => (value === undefined ? [] : [[secret, value] as const])));
}

/** Returns removed secrets to the vault, except those that have a newer value. */
export async function giveBack(vault: Pick<Vault, 'has' | 'replace'>, secrets: SealedSecrets): Promise<void> {
  const missing = new Map([...secrets].filter(([secret]) => !vault.has(secret)));
  if (missing.size > 0) await vault.replace(missing);
}
