/** The pauses between attempts to start a failing server. */
import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import type { Tuning } from '../types.ts';

/** With cockatiel's default jitter, so that servers that failed together do not all restart at the same moment. */
export function newBackoff({ backoffInitialMs, backoffMaxMs }: Tuning): IBackoff<unknown> {
  return new ExponentialBackoff({ initialDelay: backoffInitialMs, maxDelay: backoffMaxMs }).next();
}
