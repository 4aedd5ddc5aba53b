/** Which servers there are: the person's own win over those of the config file, and those over the ones of its sources. */
import type { ServerConfig } from '../../shared/model.ts';
import type { Config } from './config/config.ts';
import type { Host } from './host.ts';
import { readSource } from './import/import.ts';

export async function effectiveServers(host: Host, config: Config): Promise<ServerConfig[]> {
  if (!config.enabled) return [];
  const read = await Promise.all(config.sources.map((source) => readSource(host, source)));
  const off = new Set(host.store.get('disabledServers'));
  const byName = new Map<string, ServerConfig>();
  for (const server of [...host.store.get('servers'), ...config.servers, ...read.flatMap(({ servers }) => servers)]) {
    if (!byName.has(server.name))
      byName.set(server.name, off.has(server.name) ? { ...server, enabled: false } : server);
  }
  return [...byName.values()];
}
