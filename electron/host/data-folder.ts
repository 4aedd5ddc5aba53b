/** The data folder, and the lock that reserves it for one Core. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail } from '../../shared/failure.ts';
import { runsElsewhere } from '../bridge/reach-core.ts';

/** Creates `TOOLKEEP_HOME` or `~/.toolkeep` with its subfolders, mode 0700. Returns the absolute path. */
export function openDataFolder(env: NodeJS.ProcessEnv, homeDir: string): string {
  const dataDir = env.TOOLKEEP_HOME ? resolve(env.TOOLKEEP_HOME) : join(homeDir, '.toolkeep');
  for (const folder of [dataDir, join(dataDir, 'run'), join(dataDir, 'logs')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // mkdir does not change the mode of an existing folder, and these folders contain tokens and settings.
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  }
  return dataDir;
}

/**
 * Locks the data folder for this process; returns a function that releases the lock. Fails with CORE_RUNNING. The lock
 * is a SQLite file lock, which the operating system releases when the process ends, so it cannot go stale.
 */
export function holdDataFolder(dataDir: string): () => void {
  const database = new DatabaseSync(join(dataDir, 'run', 'data.lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw fail(
      'CORE_RUNNING',
      runsElsewhere(dataDir) ?? `Toolkeep is already running with the data folder ${dataDir}.`,
    );
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
