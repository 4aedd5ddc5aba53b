/** What was written where: the journal of installs and the backups of the files before them, in the data folder. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
  /** `pending` until the file is known to be written; what became of it is looked up in the file itself. */
  state: z.enum(['pending', 'done', 'undone']),
  /** SHA-256 of the file before and after; absent where there was none. */
  before: z.string().optional(),
  after: z.string().optional(),
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

const journalSchema = z.object({ version: z.literal(1), records: z.array(recordSchema) });

/** Backups kept per file beyond the first. */
const keptBackups = 20;

export interface Records {
  all(): InstallRecord[];
  /** Adds or replaces the record of that id; on disk when it returns. */
  save(record: InstallRecord): void;
  /** Forgets a record whose file was never written. */
  drop(id: string): void;
  /** Keeps `bytes` under their hash: sealed where that lasts, since other apps' files hold secrets in plain text. */
  backUp(bytes: Buffer): Promise<void>;
  /** The bytes of that hash; fails with CLIENT_FILE_INVALID when the backup is gone or damaged. */
  restore(hash: string, file: string): Promise<Buffer>;
}

/** Opens the journal. A damaged one is an error: going on would lose the way back. */
export function openRecords(host: Pick<Host, 'dataDir' | 'sealer'>): Records {
  const { sealer } = host;
  const folder = join(host.dataDir, 'backups');
  const journal = join(folder, 'installs.json');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const plainFile = (hash: string) => join(folder, `${hash}.bak`);
  const sealedFile = (hash: string) => join(folder, `${hash}.sealed`);

  const all = (): InstallRecord[] => {
    let text: string;
    try {
      text = readFileSync(journal, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    try {
      return journalSchema.parse(JSON.parse(text)).records;
    } catch {
      throw fail('CLIENT_FILE_INVALID', `The list of what was installed, ${journal}, is damaged.`, {
        file: journal,
        hint: `The backups beside it are whole; move ${journal} away to go on.`,
      });
    }
  };

  const write = (records: InstallRecord[]) => {
    writeFileAtomic.sync(journal, `${JSON.stringify({ version: 1, records }, null, 2)}\n`, { mode: 0o600 });
    const wanted = new Set(records.flatMap(({ before, after }) => [before, after]));
    for (const name of readdirSync(folder)) {
      const hash = /^([0-9a-f]{64})\.(?:bak|sealed)$/.exec(name)?.[1];
      if (hash !== undefined && !wanted.has(hash)) rmSync(join(folder, name), { force: true });
    }
  };

  return {
    all,
    save: (record) => write(pruned([...all().filter(({ id }) => id !== record.id), record])),
    drop: (dropped) => write(all().filter(({ id }) => id !== dropped)),
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

/** The first record of each file stays for ever, of the others the youngest. */
function pruned(records: InstallRecord[]): InstallRecord[] {
  const byFile = Map.groupBy(records, ({ target }) => target);
  const kept = new Set([...byFile.values()].flatMap(([first, ...others]) => [first, ...others.slice(-keptBackups)]));
  return records.filter((record) => kept.has(record));
}
