/** Seals with the user's passphrase, for machines without a keyring: servers, containers and shared machines. */
import { randomBytes, scrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { fail } from '../../shared/failure.ts';
import type { Sealer } from '../core/host.ts';
import { keySealer } from './aes-sealer.ts';

/** `check` is a known string sealed with the key, which detects a wrong passphrase before anything is overwritten. */
const lockSchema = z.object({ salt: z.string(), check: z.string() });
const known = 'toolkeep';
/** Takes about 100 ms and 64 MB, once per start. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/**
 * The passphrase from the file that `TOOLKEEP_PASSPHRASE_FILE` names, if it is set. Never from a variable: on Linux,
 * all of the user's programs, including servers, can read the environment with which this process was started.
 */
export function passphraseIn(env: NodeJS.ProcessEnv): string | undefined {
  if (env.TOOLKEEP_PASSPHRASE)
    throw fail('SECRET_UNREADABLE', 'TOOLKEEP_PASSPHRASE is set, but other programs can read environment variables.', {
      hint: 'Unset it. Write the passphrase to a file that only you can read, and set TOOLKEEP_PASSPHRASE_FILE to its path.',
    });
  const file = env.TOOLKEEP_PASSPHRASE_FILE;
  if (!file) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw fail('SECRET_UNREADABLE', `The passphrase file ${file} cannot be read.`, {
      file,
      hint: 'Check the path in TOOLKEEP_PASSPHRASE_FILE and its permissions.',
    });
  }
  // An empty passphrase would protect nothing.
  if (text === '')
    throw fail('SECRET_UNREADABLE', `The passphrase file ${file} is empty.`, {
      file,
      hint: 'Write the passphrase to it.',
    });
  return text;
}

/** Exists once a passphrase has sealed something. */
export const lockFile = (dataDir: string): string => join(dataDir, 'vault-lock.json');

/** Fails with SECRET_UNREADABLE if the vault in `dataDir` was created with another passphrase. */
export async function passphraseSealer(dataDir: string, passphrase: string): Promise<Sealer> {
  const file = lockFile(dataDir);
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
    throw fail('SECRET_UNREADABLE', 'The vault was created with another passphrase.', {
      file,
      hint: `Enter the correct passphrase. If it is lost, delete ${file} and enter the secrets again.`,
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
    throw fail('SECRET_UNREADABLE', `${file} cannot be read.`, {
      file,
      hint: 'Give your user account permission to read it.',
    });
  }
  try {
    return lockSchema.parse(JSON.parse(text));
  } catch {
    throw fail('SECRET_UNREADABLE', `${file} is damaged.`, {
      file,
      hint: 'Restore it from a backup, or delete it and enter the secrets again.',
    });
  }
}
