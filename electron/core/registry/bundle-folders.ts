/** Deletes the folders of bundles that no server needs anymore. */
import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { exists } from '../files/exists.ts';
import type { Host } from '../host.ts';
import { isBundleFolder, unpackingName, unpackingPrefix } from './bundle/bundle.ts';
import { fileSource } from './bundle/installed.ts';
import { shownStored } from './template.ts';

/** `servers`: all configured servers, and those that can be restored. */
export function createBundleFolders(
  { dataDir, log }: Pick<Host, 'dataDir' | 'log'>,
  servers: () => readonly unknown[],
) {
  const root = join(dataDir, 'bundles');
  const inTurn = pLimit(1);
  let deletion = Promise.resolve();
  let isClosed = false;

  async function cleanAll(): Promise<void> {
    const found = await foldersIn(root);
    if (found.length === 0) return;
    const needed = [JSON.stringify(servers()), ...(await damagedSettings(dataDir))];
    for (const { parent, name } of found) {
      if (needed.some((text) => text.includes(name))) continue;
      await remove(parent, name).catch((error: Error) => log('info', `${join(parent, name)}: ${error.message}`));
    }
  }

  return {
    /** Runs `work`, which unpacks a bundle and stores its server. Deletes nothing in the meantime. */
    keepAll: <T>(work: () => Promise<T>): Promise<T> => inTurn(work),
    /**
     * After all earlier work, deletes what no server needs, neither to run nor to revert its last update. A file that another
     * program uses stays until the next cleanup.
     */
    clean(): void {
      void inTurn(async () => {
        if (isClosed) return;
        deletion = cleanAll().catch((error: Error) => log('warn', `${root}: ${error.message}`));
        await deletion;
      });
    },
    /** Waits for the deletion that is running, and prevents later ones. */
    async close(): Promise<void> {
      isClosed = true;
      await deletion;
    },
  };
}

/** Throws INSTALL_REFUSED if the server runs in the folder of a bundle that is gone. */
export async function requireFolder({ connection, registry }: NonNullable<ServerConfig['previous']>): Promise<void> {
  if (registry.registry !== fileSource || connection.type !== 'stdio' || connection.cwd === undefined) return;
  if (await exists(shownStored(connection.cwd))) return;
  throw fail('INSTALL_REFUSED', `The files of ${registry.name} ${registry.version} are gone.`, {
    hint: 'Install the bundle of that version again.',
  });
}

/** The folders of bundles, and those that interrupted unpacking left behind. */
async function foldersIn(root: string): Promise<{ parent: string; name: string }[]> {
  const parents = (await namesIn(root)).filter((name) => !name.startsWith('.')).map((name) => join(root, name));
  const isOurs = (name: string) => name.startsWith(unpackingPrefix) || isBundleFolder(name);
  const found = parents.map(async (parent) => (await namesIn(parent)).filter(isOurs).map((name) => ({ parent, name })));
  return (await Promise.all(found)).flat();
}

const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);

/** Settings that could not be read. The user may repair them, and then needs the folders that they name. */
async function damagedSettings(dataDir: string): Promise<string[]> {
  const names = (await namesIn(dataDir)).filter((name) => name.startsWith('settings.damaged-'));
  return Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')));
}

/** Renames the folder first, because an incomplete one must never look like an installed bundle. */
async function remove(parent: string, name: string): Promise<void> {
  const temporary = name.startsWith(unpackingPrefix) ? name : unpackingName();
  if (temporary !== name) await rename(join(parent, name), join(parent, temporary));
  await rm(join(parent, temporary), { recursive: true, force: true, maxRetries: 3 });
  // Fails if the folder of another version is in it.
  await rmdir(parent).catch(() => undefined);
}
