/** Unseals secrets that earlier versions of the app sealed with Electron's safeStorage. */
import { safeStorage } from 'electron';
import { fail } from '../../shared/failure.ts';
import { withDeadline } from '../core/async/deadline.ts';
import type { Host } from '../core/host.ts';

/** safeStorage has no time limit: with a locked keyring, it waits for the user. */
const timeoutMs = 8_000;

/** Returns the secret. Fails with SECRET_UNREADABLE, or with SECRET_TIMEOUT if the keyring does not answer. */
export async function unsealWithSafeStorage(sealed: string, log: Host['log']): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64url');
  // On Linux without a keyring, Chromium uses the same key on every machine and marks the value with `v10`.
  if (process.platform === 'linux' && bytes.subarray(0, 3).toString() === 'v10')
    log('warn', 'A stored secret was not protected, because no keyring was available. It is now sealed again.');
  // untranslated: as the messages of Core
  const tooLate = () => fail('SECRET_TIMEOUT', 'The keyring did not answer.', { hint: 'Unlock it and try again.' });
  const opened = await withDeadline(timeoutMs, undefined, tooLate, () =>
    safeStorage.decryptStringAsync(bytes).catch(() => {
      throw fail('SECRET_UNREADABLE', 'A stored secret could not be unsealed. Enter it again.');
    }),
  );
  return opened.result;
}
