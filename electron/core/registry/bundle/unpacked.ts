/** Compares an unpacked bundle with its archive, and keeps the files that its server added. */
import { constants, createReadStream } from 'node:fs';
import { cp, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Zip } from './zip.ts';

/** True if the folder has every file of the archive, unchanged. A server may have added others. */
export async function isUnpacked({ entries }: Zip, folder: string): Promise<boolean> {
  for (const { name, size, crc } of entries) {
    const path = join(folder, ...name.split('/'));
    const found = await lstat(path).catch(() => undefined);
    if (name.endsWith('/')) {
      if (!found?.isDirectory()) return false;
    } else if (!found?.isFile() || found.size !== size || (await checksumOf(path)) !== crc) return false;
  }
  return true;
}

/** Copies the files of `folder` that `target` does not have, such as a database. */
export async function copyAdded(folder: string, target: string): Promise<void> {
  await cp(folder, target, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    async filter(source, copy) {
      const [found, other] = [await lstat(source), await lstat(copy).catch(() => undefined)];
      if (found.isDirectory()) return other?.isDirectory() ?? true;
      return !other && (found.isFile() || found.isSymbolicLink());
    },
  });
}

async function checksumOf(path: string): Promise<number> {
  let sum = 0;
  for await (const chunk of createReadStream(path)) sum = crc32(chunk as Buffer, sum);
  return sum;
}
