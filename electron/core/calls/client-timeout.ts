/** How long a client waits for a call before Gatehouse parks it. */
import { definitionOf } from '../clients/known-clients.ts';

/**
 * The limit in milliseconds for clients whose timeout restarts with each progress notification: longer than the default
 * question timeout.
 */
const longestMs = 10 * 60_000;

/** The timeout in milliseconds of the client with this name: `usualMs` unless progress extends it. */
export function clientTimeoutOf(client: string, wantsProgress: boolean, usualMs: number): number {
  const isExtended = wantsProgress && definitionOf({ name: client })?.progressExtendsTimeout === true;
  return isExtended ? Math.max(longestMs, usualMs) : usualMs;
}
