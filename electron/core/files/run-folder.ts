/**
 * Folders of one process in the data folder: removed with it, or by the next one if it was killed. The shared temporary folder is no
 * place for them: another user could put a folder of the same name there and lead the removal to the user's files.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { privateFolder } from './private-folder.ts';
import { isAlive } from './process-alive.ts';

/** Rejects if the folder cannot be created, or if others can change what is in it. */
export async function createRunFolder({ dataDir }: Pick<Host, 'dataDir'>, kind: 'proxy' | 'results'): Promise<string> {
  const parent = join(dataDir, 'run', kind);
  for (const folder of [join(dataDir, 'run'), parent]) privateFolder(folder);
  for (const name of await readdir(parent)) {
    const pid = Number(name.split('-')[0]);
    if (pid > 0 && !isAlive(pid)) await removeRunFolder(join(parent, name));
  }
  return mkdtemp(join(parent, `${process.pid}-`));
}

/** Never rejects: a folder that remains is removed by a later process. */
export const removeRunFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true }).catch(() => undefined);
