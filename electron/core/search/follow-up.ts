/** Watches what an agent runs after it has searched: a tool that was found, but not first, is a lesson for that query. */
import { stemsOf } from './aliases.ts';

export interface FollowUp {
  /** `keys` are the tools found, best first. */
  searched(session: string, query: string, keys: string[]): void;
  /** The tool ran well. */
  ran(session: string, key: string): void;
  left(session: string): void;
}

/** Searches are remembered for so long and so many; a call much later answers another question. */
const rememberedMs = 10 * 60_000;
const remembered = 4;

interface Asked {
  query: string;
  keys: string[];
  at: number;
}

export function createFollowUp(teach: (query: string, key: string) => void, now = Date.now): FollowUp {
  const sessions = new Map<string, Asked[]>();

  return {
    searched(session, query, keys) {
      const open = (sessions.get(session) ?? []).filter((asked) => now() - asked.at < rememberedMs);
      sessions.set(session, [...open, { query, keys, at: now() }].slice(-remembered));
    },
    ran(session, key) {
      const open = sessions.get(session)?.filter((asked) => now() - asked.at < rememberedMs);
      const found = open?.findLast((asked) => asked.keys.includes(key));
      // A call of something else in between says nothing about what was searched for.
      if (!open || !found) return;
      sessions.delete(session);
      if (found.keys[0] !== key) teach(found.query, key);
      // The same question in other words, asked before without success.
      const words = stemsOf(found.query);
      for (const asked of open.slice(0, open.indexOf(found))) {
        if (!asked.keys.includes(key) && !stemsOf(asked.query).isDisjointFrom(words)) teach(asked.query, key);
      }
    },
    left: (session) => void sessions.delete(session),
  };
}
