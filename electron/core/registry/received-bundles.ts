/** Stores bundles that pages upload, because a page does not know the path of a file. Kept until Core ends. */
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import { zipLimits } from './bundle/zip.ts';

export interface ReceivedBundles {
  /** Appends a part to the file with this ID, or starts a new file. Rejects with INPUT_INVALID. */
  add(id: string | undefined, part: Buffer): Promise<{ id: string; file: string }>;
}

/** Maximum number of bundles; the oldest ones are deleted. */
const maxKept = 4;

export function createReceivedBundles(dataDir: string): ReceivedBundles {
  const folder = join(dataDir, 'bundles', '.received');
  /** Bytes received so far, by ID. */
  const sizes = new Map<string, number>();
  let isClean = false;
  const fileOf = (id: string) => join(folder, `${id}.mcpb`);

  async function makeRoom(): Promise<void> {
    // An earlier Core may have left files.
    if (!isClean) await rm(folder, { recursive: true, force: true });
    isClean = true;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const old = [...sizes.keys()].slice(0, Math.max(0, sizes.size - maxKept + 1));
    for (const id of old) {
      sizes.delete(id);
      await rm(fileOf(id), { force: true });
    }
  }

  return {
    async add(given, part) {
      if (given === undefined) await makeRoom();
      const id = given ?? randomUUID();
      const size = given === undefined ? 0 : sizes.get(id);
      if (size === undefined)
        throw fail('INPUT_INVALID', 'Gatehouse no longer has this bundle. Choose its file again.');
      if (size + part.length > zipLimits.fileBytes) throw fail('INPUT_INVALID', 'The bundle is too large.');
      sizes.set(id, size + part.length);
      await appendFile(fileOf(id), part, { mode: 0o600 });
      return { id, file: fileOf(id) };
    },
  };
}
