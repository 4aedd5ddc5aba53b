/** Stores bundles that pages upload, because a page does not know the path of a file. Deletes them when no one needs them. */
import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';

/** Maximum number of bundles; the oldest ones are deleted. */
const maxKept = 4;

export function createReceivedBundles(dataDir: string) {
  const folder = join(dataDir, 'bundles', '.received');
  /** Bytes received so far, by ID. */
  const sizes = new Map<string, number>();
  /** For each file in use, a promise that resolves when no one uses it. */
  const inUse = new Map<string, Promise<unknown>>();
  // An earlier Core may have left bundles behind. If they cannot be deleted, the next start tries again.
  const cleaned = rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  const fileOf = (id: string) => join(folder, `${id}.mcpb`);

  const idOf = (file: string) => [...sizes.keys()].find((known) => fileOf(known) === file);
  const gone = () => fail('INPUT_INVALID', 'Toolkeep no longer has this bundle. Choose its file again.');

  async function makeRoom(): Promise<void> {
    await cleaned;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const old = [...sizes.keys()].slice(0, Math.max(0, sizes.size - maxKept + 1));
    for (const id of old) await forget(id);
  }

  async function forget(id: string): Promise<void> {
    sizes.delete(id);
    await inUse.get(fileOf(id));
    await rm(fileOf(id), { force: true, recursive: true, maxRetries: 3 });
  }

  return {
    /** Appends a part to the file with this ID, or starts a new file. Rejects with INPUT_INVALID. */
    async add(given: string | undefined, part: Buffer): Promise<{ id: string; file: string }> {
      if (given === undefined) await makeRoom();
      const id = given ?? randomUUID();
      const size = given === undefined ? 0 : sizes.get(id);
      if (size === undefined) throw gone();
      if (size + part.length > limits.bundle.fileBytes)
        throw fail('INPUT_INVALID', `The bundle is larger than ${limits.bundle.fileBytes / 1024 / 1024} MB.`);
      sizes.set(id, size + part.length);
      await appendFile(fileOf(id), part, { mode: 0o600 });
      return { id, file: fileOf(id) };
    },
    /** Runs `work`, during which the file stays. Rejects with INPUT_INVALID for a received bundle that was deleted. */
    async use<T>(file: string, work: () => Promise<T>): Promise<T> {
      if (dirname(file) === folder && idOf(file) === undefined) throw gone();
      const result = work();
      const done = Promise.allSettled([inUse.get(file), result]);
      inUse.set(file, done);
      try {
        return await result;
      } finally {
        if (inUse.get(file) === done) inUse.delete(file);
      }
    },
    /** Deletes the file if it was received; any other file stays. Waits until no one uses it, so do not call it in `work`. */
    async remove(file: string): Promise<void> {
      const id = idOf(file);
      if (id !== undefined) await forget(id);
    },
  };
}
