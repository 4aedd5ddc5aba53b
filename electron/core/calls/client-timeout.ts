/** How long a client waits for a call before the call is parked. */
import { findByInfoName } from '../clients/known-clients.ts';

/** The limit for clients whose timeout restarts with each progress notification: longer than the default question timeout. */
const longestMs = 10 * 60_000;

/** The timeout in milliseconds of the client that calls itself `client`; `usualMs` unless progress extends it. */
export function clientTimeoutOf(client: string, wantsProgress: boolean, usualMs: number): number {
  const isExtended = wantsProgress && findByInfoName(client)?.progressExtendsTimeout === true;
  return isExtended ? Math.max(longestMs, usualMs) : usualMs;
}
