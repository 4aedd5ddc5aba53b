/** The paths that a confined server may get because its configuration or a call names them. */
import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Host } from '../../host.ts';
import { isWithin, systemFolders } from './needed-paths.ts';

/** They contain the sockets of other programs, or are the kernel's. */
const special = ['/run', '/var/run', '/proc', '/sys'];
const isDevice = (real: string) => isWithin('/dev', real) && !isWithin('/dev/shm', real);
/** The same, and other programs' files. A folder in one of them may be the server's. */
const temporary = ['/tmp', '/var/tmp', '/dev/shm'];

/**
 * Leaves out what only the user can allow, in the configuration: wide folders, system folders, places of sockets, which lead to
 * other programs, Toolkeep's own files, and hidden files in the home folder, where programs keep keys and settings.
 */
export function isOffered(real: string, { homeDir, dataDir }: Host): boolean {
  const [home, data] = [realpathSync(homeDir), realpathSync(dataDir)];
  if (isWithin(real, home) || isWithin(real, data) || isWithin(data, real)) return false;
  if (temporary.some((folder) => isWithin(real, folder))) return false;
  if (!isWithin(home, real))
    return !isDevice(real) && ![...systemFolders, ...special].some((folder) => isWithin(folder, real));
  return !relative(home, real)
    .split(sep)
    .some((part) => part.startsWith('.'));
}
