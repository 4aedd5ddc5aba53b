/** Makes the server names of several sources unique. Pure. */
import { freeName } from '../../../../shared/free-name.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { isSameServer } from './identity.ts';
import type { Machine } from './paths.ts';

/**
 * Renames a server of a later source if an earlier source has a different server with the same name, and omits
 * duplicates, except for the tools that they disable. `own` has the names of the user's own servers, which replace those of the sources.
 */
export function distinctNames(
  read: { type: string; servers: ServerConfig[] }[],
  own: ReadonlySet<string>,
  machine: Pick<Machine, 'env' | 'homeDir'>,
): { servers: ServerConfig[]; renamed: string[] } {
  const named = new Map<string, { server: ServerConfig; type: string }>();
  const renamed: string[] = [];
  for (const { type, servers } of read) {
    for (const server of servers) {
      const first = named.get(server.name);
      if (own.has(server.name)) continue;
      if (!first) {
        named.set(server.name, { server, type });
        continue;
      }
      const known = [...named.values()].find((other) =>
        isSameServer(other.server.connection, server.connection, machine),
      );
      if (known) {
        known.server = withToolsDisabled(known.server, server);
        continue;
      }
      const name = freeName(`${server.name}-${type}`, (taken) => named.has(taken) || own.has(taken));
      named.set(name, { server: { ...server, name }, type });
      const file = server.origins?.[0]?.file;
      renamed.push(
        `The server "${server.name}" of ${type}${file ? ` (${file})` : ''} is named "${name}" here, because ${first.type} has a different server with that name.`,
      );
    }
  }
  return { servers: Array.from(named.values(), ({ server }) => server), renamed };
}

/** The server without the tools that another entry of it disables. */
export function withToolsDisabled(server: ServerConfig, { disabledTools = [] }: ServerConfig): ServerConfig {
  if (disabledTools.length === 0) return server;
  return { ...server, disabledTools: [...(server.disabledTools ?? []), ...disabledTools] };
}
