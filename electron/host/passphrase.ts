/** Sealing with a passphrase of the person's, where there is no keyring: servers, containers, other people's machines. */
import { randomBytes, scrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../shared/failure.ts';
import type { Sealer } from '../core/host.ts';
import { keySealer } from './memory-sealer.ts';

/** `check` is a known text sealed with the key: it tells a wrong passphrase before anything is overwritten. */
const lockSchema = z.object({ salt: z.string(), check: z.string() });
const known = 'gatehouse';
/** About 100 ms and 64 MB once per start; a guess costs as much. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/** The passphrase in `GATEHOUSE_PASSPHRASE`, or in the file that `GATEHOUSE_PASSPHRASE_FILE` names; undefined without. */
export function passphraseIn(env: NodeJS.ProcessEnv): string | undefined {
  const file = env.GATEHOUSE_PASSPHRASE_FILE;
  if (env.GATEHOUSE_PASSPHRASE || !file) return env.GATEHOUSE_PASSPHRASE || undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw fail('SECRET_UNREADABLE', `The file of the passphrase, ${file}, cannot be read.`, { file });
  }
  // An empty one would seal nothing and look as if it did.
  if (text === '') throw fail('SECRET_UNREADABLE', `The file of the passphrase, ${file}, is empty.`, { file });
  return text;
}

/** Fails with SECRET_UNREADABLE when the vault of `dataDir` was made with another passphrase. */
export async function passphraseSealer(dataDir: string, passphrase: string): Promise<Sealer> {
  const file = join(dataDir, 'vault-lock.json');
  const lock = readLock(file);
  const salt = lock ? Buffer.from(lock.salt, 'base64url') : randomBytes(16);
  const derive = promisify(scrypt) as (
    secret: string,
    salt: Buffer,
    length: number,
    options: object,
  ) => Promise<Buffer>;
  const sealer = keySealer(await derive(passphrase, salt, 32, cost), { persistent: true, label: 'passphrase' });
  if (lock) {
    const opened = await sealer.unseal(lock.check).catch(() => undefined);
    if (opened === known) return sealer;
    throw fail('SECRET_UNREADABLE', 'This is not the passphrase that the vault was made with.', {
      file,
      hint: 'Give the right one. If it is lost, remove this file: the secrets then have to be entered again.',
    });
  }
  const fresh = { salt: salt.toString('base64url'), check: await sealer.seal(known) };
  await writeFileAtomic(file, `${JSON.stringify(fresh)}\n`, { mode: 0o600 });
  return sealer;
}

function readLock(file: string): z.infer<typeof lockSchema> | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fail('SECRET_UNREADABLE', `${file} cannot be read.`, { file });
  }
  try {
    return lockSchema.parse(JSON.parse(text));
  } catch {
    throw fail('SECRET_UNREADABLE', `${file} is damaged.`, {
      file,
      hint: 'Put it back from a backup, or remove it: the secrets then have to be entered again.',
    });
  }
}
