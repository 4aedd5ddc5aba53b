/** How long a client waits for a call while a person is asked (row N2). */

/**
 * Clients that wait anew with each progress notification, by the name they give themselves, as their sources show. A client
 * belongs here only if every version that asks for progress does so: one that gives up loses what a parked call saves.
 *
 * opencode: `resetTimeoutOnProgress` without a ceiling; versions that did not heed progress asked for none.
 */
const keptByProgress: ReadonlySet<string> = new Set(['opencode']);

/** Some end has to be: longer than any question stays open by default. */
const longestMs = 10 * 60_000;

export function patienceOf(client: string, wantsProgress: boolean, usualMs: number): number {
  return wantsProgress && keptByProgress.has(client) ? Math.max(longestMs, usualMs) : usualMs;
}
