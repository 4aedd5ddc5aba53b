/** Finds the right tool for a few words. The index and its ranking; in memory, updated in place. */
export { type Encoder, type FoundModel, findModel } from './encoder.ts';
export { createFollowUp, type FollowUp } from './follow-up.ts';
export { type Lessons, openLessons } from './lessons.ts';
export { type SearchDoc, searchDoc } from './search-doc.ts';
export { similarNames } from './similar-names.ts';
export { defaultTuning as standardTuning, type Tuning as SearchTuning } from './tuning.ts';

import { type Alias, createAliases } from './aliases.ts';
import type { Encoder } from './encoder.ts';
import { createMeaning } from './meaning.ts';
import { createPostings, type Entry } from './postings.ts';
import { rank } from './ranking.ts';
import { createScratch } from './scoring.ts';
import type { SearchDoc } from './search-doc.ts';
import { defaultTuning, type Tuning } from './tuning.ts';

export interface SearchIndex {
  /** Adds tools; one with a known key takes its predecessor's place. Costs time for what is put, not for what stands. */
  put(docs: SearchDoc[]): void;
  /**
   * With an encoder: takes in what the tools put so far mean, until the time is up (`performance.now()`). Before, they are
   * found by their words. Says whether more waits.
   */
  understand(until?: number): boolean;
  /** Takes tools out; unknown keys are passed over. */
  remove(keys: string[]): void;
  /**
   * The best tools for the query, best first, at most `limit` of those that `accepts` lets through. Never throws.
   * `relevance` is 0 to 1 and never rises down the list: exact name > partial match > tag only (requirement row A14).
   */
  search(
    query: string,
    options: { limit: number; accepts?: ((key: string) => boolean) | undefined },
  ): { key: string; relevance: number }[];
  /** "This was the right tool": raises it for this query and for queries like it. A tool not (or no longer) in the index waits. */
  learn(alias: Alias): void;
  /** Takes back what was learnt for the query, for one tool or for all. */
  forget(query: string, key?: string): void;
}

export interface SearchOptions {
  /** How much a tool is used, 0 to 1; a weak hint that decides between near equals. */
  usage?: (key: string) => number;
  /** Ranks by what tools mean as well as by their words. */
  encoder?: Encoder | undefined;
  /** What meaning counts beside words (0 to 1), where the person has a view on that. */
  meaning?: number | undefined;
  /** For measurements only. */
  tuning?: Partial<Tuning>;
}

/** An empty index. */
export function createSearch(options: SearchOptions = {}): SearchIndex {
  const { encoder, meaning: weight = defaultTuning.meaning } = options;
  const tuning = { ...defaultTuning, meaning: weight, ...options.tuning };
  const postings = createPostings(tuning);
  const aliases = createAliases();
  const scratch = createScratch();
  const meaning = encoder && createMeaning(encoder);
  const ranker = { postings, aliases, scratch, tuning, meaning, usage: options.usage };
  const entries = new Map<string, Entry>();

  function remove(keys: string[]): void {
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry === undefined) continue;
      entries.delete(key);
      postings.remove(entry);
      meaning?.remove(entry.slot);
    }
  }

  return {
    put(docs) {
      for (const doc of docs) {
        remove([doc.key]);
        const entry = postings.add(doc);
        entries.set(doc.key, entry);
        meaning?.put(entry.slot, doc);
      }
    },
    understand: (until = Number.POSITIVE_INFINITY) => meaning?.understand(until) ?? false,
    remove,
    search(query, { limit, accepts = () => true }) {
      const most = Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : entries.size;
      return most === 0 ? [] : rank(ranker, query, most, accepts);
    },
    learn: aliases.learn,
    forget: aliases.forget,
  };
}
