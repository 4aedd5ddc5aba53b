/** The effective list of servers: the user's own first, then those of the config file, then those of sources. */
import { folderSource, type ServerConfig } from '../../../shared/model/server.ts';
import { readSource, readSources } from '../clients/import/import.ts';
import type { Config } from '../config/schema.ts';
import type { Host } from '../host.ts';
import { referencesToInputs } from '../secrets/vault.ts';

export async function configuredServers(host: Host, config: Config): Promise<ServerConfig[]> {
  return (await nameServers(host, config)).servers;
}

/** A sentence for each server from a source whose name differs from the name in its file. */
export async function renamedServers(host: Host, config: Config): Promise<string[]> {
  return (await nameServers(host, config)).renamed;
}

async function nameServers(host: Host, config: Config): Promise<{ servers: ServerConfig[]; renamed: string[] }> {
  if (!config.enabled) return { servers: [], renamed: [] };
  const disabled = new Set(host.store.get('disabledServers'));
  const folder = await folderServers(host, config);
  const byName = new Map<string, ServerConfig>();
  const own = [...host.store.get('servers'), ...config.servers];
  const ofSources = await readSources(host, config.sources, new Set(own.map(({ name }) => name)));
  for (const server of [...own, ...ofSources.servers, ...folder]) {
    if (!byName.has(server.name))
      byName.set(server.name, disabled.has(server.name) ? { ...server, enabled: false } : server);
  }
  return { servers: [...byName.values()], renamed: ofSources.renamed };
}

/**
 * The servers of a trusted folder and of its sources. Servers from the sources get the user's secrets only if the user
 * enters the values, and a minimal environment.
 */
async function folderServers(host: Host, { folder }: Config): Promise<ServerConfig[]> {
  if (!folder) return [];
  const read = await Promise.all(folder.sources.map((source) => readSource(host, source)));
  const ofFolder = (server: ServerConfig) => ({ ...referencesToInputs(server), origins: [{ source: folderSource }] });
  return [...folder.servers, ...read.flatMap(({ servers }) => servers.map(ofFolder))];
}
