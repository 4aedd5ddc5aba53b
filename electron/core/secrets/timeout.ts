/** Limits how long a server's start waits for a keyring or pipe that needs the user to unlock it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type ToolkeepError } from '../../../shared/failure.ts';

/** Long enough to type a password into a keyring's prompt. */
export const secretTimeoutMs = 10_000;

/** Rejects with SECRET_TIMEOUT after `ms`; `work` itself is not cancelled. `source` begins the message: "The vault". */
export async function withSecretTimeout<T>(work: Promise<T>, source: string, ms = secretTimeoutMs): Promise<T> {
  const over = new AbortController();
  const clock = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw secretTimeout(source, 'Unlock it, and answer its prompt if one is open', ms);
  });
  try {
    return await Promise.race([work, clock]);
  } finally {
    clock.catch(() => undefined);
    over.abort();
  }
}

/** Returns the SECRET_TIMEOUT failure for `source`; `hint` says what unlocks it. */
export function secretTimeout(source: string, hint: string, ms = secretTimeoutMs): ToolkeepError {
  const message = `${source} timed out after ${ms / 1000} seconds.`;
  return fail('SECRET_TIMEOUT', message, { hint: `${hint}. Then restart the server.` });
}
