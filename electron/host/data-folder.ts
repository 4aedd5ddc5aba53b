/** The data folder and the lock that keeps it to one Core. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail } from '../../shared/failure.ts';

/** Makes `GATEHOUSE_HOME` or `~/.gatehouse` with its sub-folders, for this person only. Returns its absolute path. */
export function openDataFolder(env: NodeJS.ProcessEnv, homeDir: string): string {
  const dataDir = env.GATEHOUSE_HOME ? resolve(env.GATEHOUSE_HOME) : join(homeDir, '.gatehouse');
  for (const folder of [dataDir, join(dataDir, 'run'), join(dataDir, 'logs')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // mkdir leaves a folder that was there as it is; tokens and settings live in these.
    if (process.platform !== 'win32') chmodSync(folder, 0o700);
  }
  return dataDir;
}

/**
 * Takes the data folder for this process; returns what gives it back. Fails with CORE_RUNNING.
 * An SQLite file locked by the operating system: the lock ends with its process, however that ends, so nothing is ever stale.
 */
export function holdDataFolder(dataDir: string): () => void {
  const database = new DatabaseSync(join(dataDir, 'run', 'data.lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw fail('CORE_RUNNING', `Gatehouse runs already with the data folder ${dataDir}.`);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
