/** Finds servers by the address of an app. Indexed, because results may link to thousands of addresses. */
import { addressPrefix, appUseOf } from '../apps.ts';
import type { CatalogEntry } from './snapshot.ts';

export interface AppServers {
  /** The servers with a resource or a tool's app at this `ui://` address. */
  at(uri: string): ReadonlySet<string>;
  /** Whether the server has a resource, a template or a tool's app with any `ui://` address. */
  hasApps(server: string): boolean;
  /** Call it whenever the entries change. */
  changed(): void;
}

const none: ReadonlySet<string> = new Set();

export function createAppServers(entries: ReadonlyMap<string, CatalogEntry>): AppServers {
  let known: Map<string, Set<string>> | undefined;
  return {
    at(uri) {
      known ??= serversByUri(entries);
      return known.get(uri) ?? none;
    },
    hasApps(server) {
      const discovered = entries.get(server)?.discovered;
      if (!discovered) return false;
      const addresses = [
        ...discovered.resources.map(({ uri }) => uri),
        ...discovered.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ...discovered.tools.flatMap((tool) => (appUseOf(tool) ? tool.appAddresses : [])),
      ];
      return addresses.some((address) => typeof address === 'string' && address.startsWith(addressPrefix));
    },
    changed: () => {
      known = undefined;
    },
  };
}

function serversByUri(entries: ReadonlyMap<string, CatalogEntry>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (uri: unknown, server: string) => {
    if (typeof uri !== 'string' || !uri.startsWith(addressPrefix)) return;
    const servers = found.get(uri);
    if (servers) servers.add(server);
    else found.set(uri, new Set([server]));
  };
  for (const [server, { discovered }] of entries) {
    for (const { uri } of discovered.resources) add(uri, server);
    for (const tool of discovered.tools) if (appUseOf(tool)) for (const uri of tool.appAddresses) add(uri, server);
  }
  return found;
}
