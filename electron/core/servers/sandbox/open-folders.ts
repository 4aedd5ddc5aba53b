/** Asks the user about the folders that a call of a confined server names, and that the server does not see. */
import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Host } from '../../host.ts';
import type { OutgoingRequest, ServerHandleOptions } from '../types.ts';
import { isWithin, systemFolders } from './needed-paths.ts';
import { inTime } from './network-proxy.ts';
import { isOffered } from './offered-paths.ts';

/** More than a call names, and few enough to look up in a moment. */
const maxPaths = 20;
const maxVisited = 2_000;

/** The folders that the user allows now or has allowed, and that the server sees only after a restart. */
export async function openedFolders(
  { method, params }: OutgoingRequest,
  { folders, report, host }: Pick<ServerHandleOptions, 'folders' | 'report' | 'host'>,
): Promise<string[]> {
  if (method !== 'tools/call' || !folders) return [];
  const paths = pathsIn(params?.arguments, host.homeDir);
  const may = paths.length > 0 ? report?.view()?.may : undefined;
  if (!may?.ask) return [];
  const missing = await missingFolders(paths, [...may.read, ...may.write], host);
  const answers = await Promise.all(missing.map((folder) => inTime(() => folders.mayUse(folder))));
  for (const [index, folder] of missing.entries()) if (!answers[index]) report?.refusedFolder(folder);
  return missing.filter((_, index) => answers[index]);
}

/**
 * Returns the folder of a file. Real paths only: a link that a server has made leads to the folder that the user is asked about.
 * `seen`: what the server sees besides system folders. A folder that Toolkeep never offers is left out.
 */
async function missingFolders(paths: readonly string[], seen: readonly string[], host: Host): Promise<string[]> {
  const visible = [...systemFolders, ...(await Promise.all(seen.map(realOf))).filter((real) => real !== undefined)];
  const missing = new Set<string>();
  for (const path of paths) {
    const real = await realOf(path);
    const kind = real === undefined ? undefined : await stat(real).catch(() => undefined);
    if (real === undefined || kind === undefined || visible.some((one) => isWithin(one, real))) continue;
    const folder = kind.isDirectory() ? real : dirname(real);
    if ((kind.isDirectory() || kind.isFile()) && isOffered(folder, host)) missing.add(folder);
  }
  return [...missing];
}

/** The folder of a file that does not exist yet; undefined if that does not exist either. */
function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => realpath(dirname(path)).catch(() => undefined));
}

/** The absolute paths among the strings of a call's arguments, at any depth. */
function pathsIn(args: unknown, home: string): string[] {
  const paths = new Set<string>();
  const open: unknown[] = [args];
  for (let visited = 0; open.length > 0 && visited < maxVisited && paths.size < maxPaths; visited += 1) {
    const value = open.pop();
    const path = typeof value === 'string' ? absolutePath(value, home) : undefined;
    if (path !== undefined) paths.add(path);
    else if (typeof value === 'object' && value !== null) open.push(...Object.values(value).slice(0, maxVisited));
  }
  return [...paths];
}

function absolutePath(text: string, home: string): string | undefined {
  if (text.length > 4_096 || !/^(?:\/|~\/|file:\/\/)/.test(text) || /[\0\n]/.test(text)) return undefined;
  if (text.startsWith('~/')) return join(home, text.slice(2));
  if (!text.startsWith('file:')) return isAbsolute(text) ? normalize(text) : undefined;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}
