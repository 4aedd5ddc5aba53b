/** The folders against which a server may resolve a relative path, other than the home folder. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Store } from '../settings.ts';
import { isPerFolder, usesRoots } from './lifecycle/client-instances.ts';
import { firstFolder, foldersOf, type ListRoots } from './roots.ts';

const base = '${workspaceFolder}';

/** Where the server starts, and its arguments that are paths. */
export function workingFolders({ connection }: ServerConfig): string[] {
  if (connection.type !== 'stdio') return [];
  const folders = connection.args.filter((arg) => /^(?:[\\/~]|[A-Za-z]:[\\/])/.test(arg));
  return [...(connection.cwd === undefined ? [] : [connection.cwd]), ...folders];
}

/** If the server uses roots: the folders of the caller's roots, and those of the server's instance for them. */
export async function foldersOfCaller(server: ServerConfig, store: Store, rootsOfCaller: ListRoots): Promise<string[]> {
  if (!usesRoots(server, store)) return [];
  // A caller that does not list its roots is treated like one without roots.
  const roots = await rootsOfCaller().catch(() => undefined);
  const folder = firstFolder(roots);
  const own = folder !== undefined && isPerFolder(server) ? foldersOfInstance(server, folder) : [];
  return [...foldersOf(roots), ...own];
}

/** The folders of a server that starts in `folder`. These strings are compared with paths, and never resolved. */
function foldersOfInstance({ connection }: ServerConfig, folder: string): string[] {
  if (connection.type !== 'stdio') return [];
  const { args, cwd = base } = connection;
  return [cwd, ...args].filter((text) => text.includes(base)).map((text) => text.replaceAll(base, () => folder));
}
