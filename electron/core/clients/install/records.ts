/**
 * Records of all changes to clients' files, and backups of those files, in the data folder. Each record is a separate
 * file, so that two processes never overwrite each other's records.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';
import { hashOf } from './safe-write.ts';

const recordSchema = z.object({
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  client: z.string(),
  app: z.string(),
  file: z.string(),
  target: z.string(),
  action: z.enum(['install', 'uninstall']),
  /** `pending` or `undoing` until the file is written. After a crash, the file itself shows the result. */
  state: z.enum(['pending', 'done', 'undoing', 'undone']),
  /** The id of the process that makes the change. */
  pid: z.number().optional(),
  /** SHA-256 of the file before and after; missing if there was no file. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** SHA-256 of the file that the undo replaced. */
  undone: z.string().optional(),
  format: z.enum(['json', 'yaml', 'toml']),
  section: z.string(),
  name: z.string(),
  list: z.boolean().optional(),
  /** The value that was inserted or removed. */
  entry: z.unknown().optional(),
  /** The inserted text, if it was contiguous. */
  inserted: z.string().optional(),
  /** Names of the other servers that were removed; the backup contains them. */
  moved: z.array(z.string()).default([]),
});
export type InstallRecord = z.infer<typeof recordSchema>;

/** Backups kept per file, in addition to the first. */
const keptBackups = 20;

export type Records = ReturnType<typeof openRecords>;

/** Opens the records. Fails if a record is damaged, because continuing could lose a backup. */
export function openRecords(host: Pick<Host, 'dataDir' | 'sealer'>) {
  const { sealer } = host;
  const folder = join(host.dataDir, 'backups');
  const records = join(folder, 'records');
  mkdirSync(records, { recursive: true, mode: 0o700 });
  const plainFile = (hash: string) => join(folder, `${hash}.bak`);
  const sealedFile = (hash: string) => join(folder, `${hash}.sealed`);
  const recordFile = (id: string) => join(records, `${id}.json`);

  const read = (file: string): InstallRecord[] => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    try {
      return [recordSchema.parse(JSON.parse(text))];
    } catch {
      throw fail('CLIENT_FILE_INVALID', `${file}, an installation record, is damaged.`, {
        file,
        hint: `The backups in ${folder} are intact. Move this file elsewhere to continue.`,
      });
    }
  };
  const all = () =>
    readdirSync(records)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => read(join(records, name)))
      .sort((a, b) => a.at - b.at);

  const clearAway = () => {
    // List the backups first, so that the list contains none whose record is added later.
    const backups = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.(?:bak|sealed)$/.test(name));
    const known = all();
    const kept = pruned(known);
    for (const { id } of known) if (!kept.some((record) => record.id === id)) rmSync(recordFile(id), { force: true });
    const wanted = new Set(kept.flatMap(({ before, after, undone }) => [before, after, undone]));
    for (const name of backups) if (!wanted.has(name.slice(0, 64))) rmSync(join(folder, name), { force: true });
    for (const place of [folder, records]) clearLeftovers(place);
  };

  return {
    /** Oldest first. */
    all,
    /** Adds or replaces the record with this id. It is on disk when this returns. */
    save(record: InstallRecord): void {
      writeFileAtomic.sync(recordFile(record.id), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
      clearAway();
    },
    /** Deletes a record whose file was never written. */
    drop(id: string): void {
      rmSync(recordFile(id), { force: true });
      clearAway();
    },
    /**
     * Stores `bytes` under their hash, sealed if possible, because clients' files contain plain-text secrets. Save the
     * record that refers to the backup first; otherwise, the cleanup may delete the backup.
     */
    async backUp(bytes: Buffer): Promise<void> {
      const hash = hashOf(bytes);
      if (!sealer.persistent) writeFileAtomic.sync(plainFile(hash), bytes, { mode: 0o600 });
      else writeFileAtomic.sync(sealedFile(hash), await sealer.seal(bytes.toString('base64')), { mode: 0o600 });
    },
    /** The bytes with that hash. Fails with CLIENT_FILE_INVALID if the backup is missing or damaged. */
    async restore(hash: string, file: string): Promise<Buffer> {
      const unsealed = async () => Buffer.from(await sealer.unseal(readFileSync(sealedFile(hash), 'utf8')), 'base64');
      for (const read of [unsealed, async () => readFileSync(plainFile(hash))]) {
        const bytes = await read().catch(() => undefined);
        if (bytes && hashOf(bytes) === hash) return bytes;
      }
      throw fail('CLIENT_FILE_INVALID', `The backup of ${file} is missing or damaged. The file was not changed.`, {
        file,
        hint: 'Edit the file manually to undo the change.',
      });
    },
  };
}

/** Deletes files that killed processes left partly written, because they may contain the client's secrets. */
function clearLeftovers(folder: string): void {
  const minuteAgo = Date.now() - 60_000;
  for (const name of readdirSync(folder)) {
    if (!/\.(?:json|bak|sealed)\.\d+$/.test(name)) continue;
    const file = join(folder, name);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? minuteAgo) < minuteAgo) rmSync(file, { force: true });
  }
}

/** Keeps the first record of each file permanently, and the newest `keptBackups` of the others. */
function pruned(records: InstallRecord[]): InstallRecord[] {
  const byFile = Map.groupBy(records, ({ target }) => target);
  const kept = new Set([...byFile.values()].flatMap(([first, ...others]) => [first, ...others.slice(-keptBackups)]));
  return records.filter((record) => kept.has(record));
}
