/** How long a client waits for a call before Toolkeep parks it. */
import { definitionOf } from '../clients/known-clients.ts';
import type { Client } from '../types.ts';

/**
 * The limit in milliseconds for clients whose timeout restarts with each progress notification: longer than the default
 * question timeout.
 */
const longestMs = 10 * 60_000;
/** The default of `approvals.clientTimeout`. A shorter configured timeout applies to every client. */
const defaultMs = 45_000;
/** The fraction of a client's timeout after which its call is parked. The rest leaves time for the response. */
const share = 0.85;

export interface ClientTimeouts {
  /** Milliseconds for a call that waits for the user. */
  userMs: number;
  /** Milliseconds for a call whose tool is running; undefined if the client may wait indefinitely. */
  toolMs?: number;
  /** The client keeps waiting only while it receives progress notifications. */
  needsSigns?: boolean;
}

/**
 * `usualMs` applies to clients with an unknown timeout. A program that calls tools under their own names does not know
 * how to resume a call, so its calls are not parked while a slow tool runs.
 */
export function clientTimeoutsOf(client: Client, wantsProgress: boolean, usualMs: number): ClientTimeouts {
  const known = definitionOf(client);
  if (wantsProgress && known?.progressExtendsTimeout) return { userMs: Math.max(longestMs, usualMs), needsSigns: true };
  const isOurEntry = known !== undefined && client.via === known.id;
  const own = (isOurEntry ? known.install?.timeoutMs : undefined) ?? known?.callTimeoutMs;
  if (own !== undefined) {
    const toolMs = usualMs < defaultMs ? usualMs : own * share;
    // Another program may state the name of a known client. A call of its own entry also waits that long for the user.
    return { userMs: isOurEntry ? Math.max(toolMs, usualMs) : usualMs, toolMs };
  }
  const isModel = known !== undefined || ((client.mode === 'lazy' || client.mode === 'hybrid') && !client.isUser);
  return { userMs: usualMs, ...(isModel && { toolMs: usualMs }) };
}
