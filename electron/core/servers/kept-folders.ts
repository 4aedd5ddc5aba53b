/** The folders in which confined servers keep their data, and for how long those of removed servers stay. */
import { createHash } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';

type Machine = Pick<Host, 'dataDir' | 'log'>;

/** The user can restore a removed server for 30 days, in milliseconds. */
const keptMs = 30 * 24 * 3600_000;
const removed = '.removed';
const folderOf = ({ dataDir }: Pick<Host, 'dataDir'>) => join(dataDir, 'sandboxes');

export function keptFolder(server: string, host: Pick<Host, 'dataDir'>): string {
  return join(folderOf(host), createHash('sha256').update(server).digest('hex').slice(0, 16));
}

/** Call when the server has been removed. */
export const setKeptAside = (server: string, host: Machine) =>
  move(keptFolder(server, host), keptFolder(server, host) + removed, host);

/** Call when the removal is undone, before the server starts. */
export const restoreKept = (server: string, host: Machine) =>
  move(keptFolder(server, host) + removed, keptFolder(server, host), host);

export const renameKept = (from: string, to: string, host: Machine) =>
  move(keptFolder(from, host), keptFolder(to, host), host);

/** Forgets servers that were removed too long ago, and deletes the folders of removed servers that cannot be restored. */
export async function deleteRemovedFolders(host: Machine & Pick<Host, 'store'>): Promise<void> {
  const all = host.store.get('removedServers');
  const kept = all.filter(({ removedAt }) => removedAt > Date.now() - keptMs);
  if (kept.length < all.length) host.store.set('removedServers', kept);
  const folders = new Set(kept.map(({ config }) => keptFolder(config.name, host) + removed));
  const names = await readdir(folderOf(host)).catch(() => []);
  for (const name of names.filter((one) => one.endsWith(removed))) {
    const folder = join(folderOf(host), name);
    if (!folders.has(folder)) await remove(folder, host);
  }
}

async function move(from: string, to: string, host: Machine): Promise<void> {
  await remove(`${from}.installed`, host);
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return;
    // The name was used before.
    await remove(to, host);
    await rename(from, to).catch((reason: Error) => host.log('warn', `${from} cannot be moved: ${reason.message}`));
  });
}

const remove = (path: string, { log }: Machine) =>
  rm(path, { recursive: true, force: true }).catch((error: Error) =>
    log('warn', `${path} cannot be deleted: ${error.message}`),
  );
