/** Implicit search feedback: a call after a search shows which of the tools found was the right one. */
import { stemsOf } from './feedback/feedback-index.ts';

export type FollowUp = ReturnType<typeof createFollowUp>;

/** Milliseconds. A call long after a search is rarely a response to it. */
const maxAgeMs = 10 * 60_000;
const maxPerSession = 4;

interface PastSearch {
  query: string;
  keys: string[];
  at: number;
}

/** `onFeedback` receives the query and the tool that was called although it was not found first. */
export function createFollowUp(onFeedback: (query: string, key: string) => void, now = Date.now) {
  const sessions = new Map<string, PastSearch[]>();
  const recent = (session: string) => (sessions.get(session) ?? []).filter((past) => now() - past.at < maxAgeMs);

  return {
    /** `keys` are the tools found, best first. */
    onSearch(session: string, query: string, keys: string[]): void {
      sessions.set(session, [...recent(session), { query, keys, at: now() }].slice(-maxPerSession));
    },
    /** The tool ran without an error. */
    onCall({ client, key }: { client: string; key: string }): void {
      const searches = recent(client);
      const found = searches.findLast((past) => past.keys.includes(key));
      // If no search found the tool, the call says nothing about the searches.
      if (!found) return;
      sessions.delete(client);
      if (found.keys[0] !== key) onFeedback(found.query, key);
      // Earlier searches that share a word with this one count as failed attempts at the same question.
      const stems = stemsOf(found.query);
      for (const past of searches.slice(0, searches.indexOf(found))) {
        if (!past.keys.includes(key) && !stemsOf(past.query).isDisjointFrom(stems)) onFeedback(past.query, key);
      }
    },
    onDisconnect: ({ id }: { id: string }) => void sessions.delete(id),
  };
}
