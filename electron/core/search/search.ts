/** Finds the right tool for a few words. The index and its ranking; in memory, updated in place. */
export { type SearchDoc, searchDoc } from './search-doc.ts';
export { similarNames } from './similar-names.ts';

import { createPostings, type Entry } from './postings.ts';
import { rank } from './ranking.ts';
import type { SearchDoc } from './search-doc.ts';
import { defaultTuning, type Tuning } from './tuning.ts';

export interface SearchHit {
  key: string;
  /** 0 to 1, never rising down the list: exact name > partial match > tag only (requirement row A14). */
  relevance: number;
}

export interface SearchIndex {
  /** Adds tools; one with a known key takes its predecessor's place. Costs time for what is put, not for what stands. */
  put(docs: SearchDoc[]): void;
  /** Takes tools out; unknown keys are passed over. */
  remove(keys: string[]): void;
  /** The best tools for the query, best first, at most `limit` of those that `accepts` lets through. Never throws. */
  search(query: string, options: { limit: number; accepts?: ((key: string) => boolean) | undefined }): SearchHit[];
}

export interface SearchOptions {
  /** How much a tool is used, 0 to 1; a weak hint that decides between equals. */
  usage?: (key: string) => number;
  /** For measurements only. */
  tuning?: Partial<Tuning>;
}

/** An empty index. */
export function createSearch(options: SearchOptions = {}): SearchIndex {
  const tuning = { ...defaultTuning, ...options.tuning };
  const postings = createPostings(tuning);
  const entries = new Map<string, Entry>();

  function remove(keys: string[]): void {
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry === undefined) continue;
      entries.delete(key);
      postings.remove(entry);
    }
  }

  return {
    put(docs) {
      for (const doc of docs) {
        remove([doc.key]);
        entries.set(doc.key, postings.add(doc));
      }
    },
    remove,
    search: (query, request) => rank(postings, query, { ...request, usage: options.usage }, tuning),
  };
}
