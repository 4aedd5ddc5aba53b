/**
 * Folders of one process: removed with it, or by the next one if it was killed. The shared temporary folder is no place for them:
 * another user could put a folder of the same name there and lead the removal to the user's files.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host, Machine } from '../host.ts';
import { privateFolder } from './private-folder.ts';
import { isAlive } from './process-alive.ts';

/** For what only Toolkeep opens. */
export const runFolderOf = ({ dataDir }: Pick<Host, 'dataDir'>): string => join(dataDir, 'run');

/** For what agents open, too, which need the user's approval for files in the data folder. */
export function cacheFolderOf({ homeDir, platform, env }: Machine): string {
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(homeDir, 'Library', 'Caches'),
    win32: env.LOCALAPPDATA || join(homeDir, 'AppData', 'Local'),
  };
  return join(folders[platform] ?? (env.XDG_CACHE_HOME || join(homeDir, '.cache')), 'toolkeep');
}

/**
 * Creates a folder for this process in `kind` below `base`. Rejects if it cannot be created, or if others can change what is in
 * it.
 */
export async function createRunFolder(base: string, kind: 'proxy' | 'results'): Promise<string> {
  const parent = join(base, kind);
  for (const folder of [base, parent]) privateFolder(folder);
  for (const name of await readdir(parent)) {
    const pid = Number(name.split('-')[0]);
    if (pid > 0 && !isAlive(pid)) await removeRunFolder(join(parent, name));
  }
  return mkdtemp(join(parent, `${process.pid}-`));
}

/** Never rejects: a folder that remains is removed by a later process. */
export const removeRunFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true }).catch(() => undefined);
