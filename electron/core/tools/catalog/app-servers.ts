/** Finds servers by the address of an app. Indexed, because results may link to thousands of addresses. */
import { addressPrefix, appUseOf } from '../apps.ts';
import type { CatalogEntry } from './snapshot.ts';

const none: ReadonlySet<string> = new Set();

export function createAppServers(entries: ReadonlyMap<string, CatalogEntry>) {
  let known: Map<string, Set<string>> | undefined;
  return {
    /** The servers with a resource or a tool's app at this `ui://` address. */
    at(uri: string): ReadonlySet<string> {
      known ??= serversByUri(entries);
      return known.get(uri) ?? none;
    },
    /** Whether the server has a resource, a template or a tool's app with any `ui://` address. */
    hasApps(server: string): boolean {
      const discovered = entries.get(server)?.discovered;
      if (!discovered) return false;
      const { resourceTemplates } = discovered;
      return appUris(discovered).length > 0 || resourceTemplates.some(({ uriTemplate }) => isAppUri(uriTemplate));
    },
    /** Call it whenever the entries change. */
    changed(): void {
      known = undefined;
    },
  };
}

function serversByUri(entries: ReadonlyMap<string, CatalogEntry>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [server, { discovered }] of entries)
    for (const uri of appUris(discovered)) {
      const servers = found.get(uri);
      if (servers) servers.add(server);
      else found.set(uri, new Set([server]));
    }
  return found;
}

const isAppUri = (uri: unknown): uri is string => typeof uri === 'string' && uri.startsWith(addressPrefix);

/** The `ui://` addresses of a server's resources and of its tools' apps. */
const appUris = ({ resources, tools }: CatalogEntry['discovered']): string[] =>
  [...resources.map(({ uri }) => uri), ...tools.flatMap((tool) => (appUseOf(tool) ? tool.appAddresses : []))].filter(
    isAppUri,
  );
