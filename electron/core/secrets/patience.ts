/** Keyrings and pipes may wait for a person who is not there; a server that needs them must not wait for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type GatehouseError } from '../../../shared/failure.ts';

/** Long enough to type a password into the prompt of a keyring. */
export const secretPatienceMs = 10_000;

/** Rejects with SECRET_TIMEOUT when `work` takes too long, which goes on for nobody. */
export async function withPatience<T>(work: Promise<T>, who: string): Promise<T> {
  const over = new AbortController();
  const clock = sleep(secretPatienceMs, undefined, { signal: over.signal }).then(() => {
    throw late(who, 'Unlock it, and answer its prompt if one is open');
  });
  try {
    return await Promise.race([work, clock]);
  } finally {
    clock.catch(() => undefined);
    over.abort();
  }
}

export function late(who: string, cure: string): GatehouseError {
  const message = `${who} did not give what it holds within ${secretPatienceMs / 1000} seconds.`;
  return fail('SECRET_TIMEOUT', message, { hint: `${cure}. Then restart the server.` });
}
