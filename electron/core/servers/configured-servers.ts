/** The effective list of servers: the user's own take precedence over the config file, which takes precedence over sources. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import { readSource } from '../clients/import/import.ts';
import type { Config } from '../config/schema.ts';
import type { Host } from '../host.ts';
import { referencesToInputs } from '../secrets/vault.ts';

export async function configuredServers(host: Host, config: Config): Promise<ServerConfig[]> {
  if (!config.enabled) return [];
  const read = await Promise.all(config.sources.map((source) => readSource(host, source)));
  const disabled = new Set(host.store.get('disabledServers'));
  const folder = await folderServers(host, config);
  const byName = new Map<string, ServerConfig>();
  const own = [...host.store.get('servers'), ...config.servers, ...read.flatMap(({ servers }) => servers)];
  for (const server of [...own, ...folder]) {
    if (!byName.has(server.name))
      byName.set(server.name, disabled.has(server.name) ? { ...server, enabled: false } : server);
  }
  return [...byName.values()];
}

/** Servers of a trusted folder come last, and those that its sources name get nothing of the user's unasked. */
async function folderServers(host: Host, { folder }: Config): Promise<ServerConfig[]> {
  if (!folder) return [];
  const read = await Promise.all(folder.sources.map((source) => readSource(host, source)));
  return [...folder.servers, ...read.flatMap(({ servers }) => servers.map((server) => referencesToInputs(server)))];
}
