/** Limits how long a server's start waits for a keyring or pipe that needs the user to unlock it. */
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import { withDeadline } from '../async/deadline.ts';

/** Long enough to type a password into a keyring's prompt. */
export const secretTimeoutMs = 10_000;

/** Rejects with SECRET_TIMEOUT after `ms`; `work` itself is not cancelled. `source` begins the message: "The vault". */
export function withSecretTimeout<T>(work: Promise<T>, source: string, ms = secretTimeoutMs): Promise<T> {
  const timeoutError = () => secretTimeout(source, 'Unlock it, and answer its prompt if one is open', ms);
  return withDeadline(ms, undefined, timeoutError, () => work);
}

/** Returns the SECRET_TIMEOUT failure for `source`; `hint` says what unlocks it. */
export function secretTimeout(source: string, hint: string, ms = secretTimeoutMs): ToolkeepError {
  const message = `${source} timed out after ${ms / 1000} seconds.`;
  return fail('SECRET_TIMEOUT', message, { hint: `${hint}. Then restart the server.` });
}
