/**
 * What was written where: a record of each change and the backups of the files before them, in the data folder. Each lies in
 * a file of its own, so that two processes never overwrite what the other one noted.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import type { Host } from '../host.ts';
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
  /** `pending` and `undoing` until the file is known to be written; what became of it is looked up in the file itself. */
  state: z.enum(['pending', 'done', 'undoing', 'undone']),
  /** The process that is at it, or was when it was killed. */
  pid: z.number().optional(),
  /** SHA-256 of the file before and after; absent where there was none. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** SHA-256 of the file that undoing replaced. */
  undone: z.string().optional(),
  format: z.enum(['json', 'yaml', 'toml']),
  section: z.string(),
  name: z.string(),
  list: z.boolean().optional(),
  /** The value that was put in, or taken out. */
  entry: z.unknown().optional(),
  /** The piece of text that was put in, if it was one piece. */
  inserted: z.string().optional(),
  /** Names of other servers that were taken out; their text is in the backup. */
  moved: z.array(z.string()).default([]),
});
export type InstallRecord = z.infer<typeof recordSchema>;

/** Backups kept per file beyond the first. */
const keptBackups = 20;

export interface Records {
  /** The oldest first. */
  all(): InstallRecord[];
  /** Adds or replaces the record of that id; on disk when it returns. */
  save(record: InstallRecord): void;
  /** Forgets a record whose file was never written. */
  drop(id: string): void;
  /**
   * Keeps `bytes` under their hash: sealed where that lasts, since other apps' files hold secrets in plain text. A record
   * that names it comes first, or it may be cleared away at once.
   */
  backUp(bytes: Buffer): Promise<void>;
  /** The bytes of that hash; fails with CLIENT_FILE_INVALID when the backup is gone or damaged. */
  restore(hash: string, file: string): Promise<Buffer>;
}

/** Opens the records. A damaged one is an error: going on would lose the way back. */
export function openRecords(host: Pick<Host, 'dataDir' | 'sealer'>): Records {
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
      throw fail('CLIENT_FILE_INVALID', `${file}, the record of what was installed, is damaged.`, {
        file,
        hint: `The backups in ${folder} are whole; move this file away to go on.`,
      });
    }
  };
  const all = () =>
    readdirSync(records)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => read(join(records, name)))
      .sort((a, b) => a.at - b.at);

  const clearAway = () => {
    // Listed before the records are read: whose record comes later is not yet in the list.
    const backups = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.(?:bak|sealed)$/.test(name));
    const known = all();
    const kept = pruned(known);
    for (const { id } of known) if (!kept.some((record) => record.id === id)) rmSync(recordFile(id), { force: true });
    const wanted = new Set(kept.flatMap(({ before, after, undone }) => [before, after, undone]));
    for (const name of backups) if (!wanted.has(name.slice(0, 64))) rmSync(join(folder, name), { force: true });
    for (const place of [folder, records]) clearLeftovers(place);
  };

  return {
    all,
    save(record) {
      writeFileAtomic.sync(recordFile(record.id), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
      clearAway();
    },
    drop(id) {
      rmSync(recordFile(id), { force: true });
      clearAway();
    },
    async backUp(bytes) {
      const hash = hashOf(bytes);
      if (!sealer.persistent) writeFileAtomic.sync(plainFile(hash), bytes, { mode: 0o600 });
      else writeFileAtomic.sync(sealedFile(hash), await sealer.seal(bytes.toString('base64')), { mode: 0o600 });
    },
    async restore(hash, file) {
      const unsealed = async () => Buffer.from(await sealer.unseal(readFileSync(sealedFile(hash), 'utf8')), 'base64');
      for (const read of [unsealed, async () => readFileSync(plainFile(hash))]) {
        const bytes = await read().catch(() => undefined);
        if (bytes && hashOf(bytes) === hash) return bytes;
      }
      throw fail('CLIENT_FILE_INVALID', `The backup of ${file} is gone or damaged; the file was left as it is.`, {
        file,
      });
    },
  };
}

/** Half-written files of killed runs, which may hold what the client's file held. */
function clearLeftovers(folder: string): void {
  const minuteAgo = Date.now() - 60_000;
  for (const name of readdirSync(folder)) {
    if (!/\.(?:json|bak|sealed)\.\d+$/.test(name)) continue;
    const file = join(folder, name);
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? minuteAgo) < minuteAgo) rmSync(file, { force: true });
  }
}

/** The first record of each file stays for ever, of the others the youngest. */
function pruned(records: InstallRecord[]): InstallRecord[] {
  const byFile = Map.groupBy(records, ({ target }) => target);
  const kept = new Set([...byFile.values()].flatMap(([first, ...others]) => [first, ...others.slice(-keptBackups)]));
  return records.filter((record) => kept.has(record));
}
