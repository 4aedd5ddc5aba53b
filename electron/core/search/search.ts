/** Finds the right tools for a query. The index is in memory and is updated in place. */
import { createFeedbackIndex } from './feedback/feedback-index.ts';
import { createPostings, type Entry } from './index/postings.ts';
import { createScratch } from './index/scoring.ts';
import { stemOf } from './lexicon/words.ts';
import { rank } from './query/ranking.ts';
import type { SearchDoc } from './search-doc.ts';
import { defaultTuning, type Tuning } from './tuning.ts';
import type { VectorStore } from './vector-store.ts';
import type { Encoder } from './vectors/encoder.ts';
import { createVectorIndex } from './vectors/vector-index.ts';

export type SearchIndex = ReturnType<typeof createSearch>;

export interface SearchOptions {
  /** How often a tool is used, from 0 to 1: a weak signal that decides near ties. */
  usage?: (key: string) => number;
  /** Adds vector similarity to the keyword score. */
  encoder?: Encoder;
  /** Like `encoder`, but `SearchIndex.loadEncoder` loads it later. May resolve with undefined. */
  loadEncoder?: () => Promise<Encoder | undefined>;
  /** Stores vectors between runs. */
  vectors?: Pick<VectorStore, 'find' | 'add'>;
  /** The number of different words to index. Further ones are ignored, so that hostile items cannot fill the memory. */
  maxTerms?: number;
  /** For benchmarks only. */
  tuning?: Partial<Tuning>;
}

/** Creates an empty index. */
export function createSearch(options: SearchOptions = {}) {
  const { encoder, loadEncoder } = options;
  const tuning = { ...defaultTuning, ...options.tuning };
  const postings = createPostings(tuning, options.maxTerms);
  const feedback = createFeedbackIndex();
  const scratch = createScratch();
  const hasVectors = tuning.embeddings > 0 && (encoder !== undefined || loadEncoder !== undefined);
  const vectors = hasVectors
    ? createVectorIndex({
        context: tuning.context,
        slotsOf: (word) => postings.term(stemOf(word)),
        store: options.vectors,
      })
    : undefined;
  if (encoder) vectors?.setEncoder(encoder);
  let loading: Promise<void> | undefined;
  const ranker = { postings, feedback, scratch, tuning, vectors, usage: options.usage };
  const entries = new Map<string, Entry>();

  /** Removes tools; unknown keys are ignored. */
  function remove(keys: string[]): void {
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry === undefined) continue;
      entries.delete(key);
      postings.remove(entry);
      vectors?.remove(entry.slot);
    }
  }

  return {
    /** Adds tools, or replaces those with the same key. The cost depends on the number of tools added, not on the index. */
    put(docs: SearchDoc[]): void {
      for (const doc of docs) {
        remove([doc.key]);
        const entry = postings.add(doc);
        entries.set(doc.key, entry);
        vectors?.put(entry.slot, doc);
      }
    },
    /**
     * Computes vectors of added tools until `until` (on the clock of `performance.now()`). Keyword search finds the tools
     * in the meantime. Returns true if more tools are waiting. Does nothing without an encoder.
     */
    indexVectors: (until = Number.POSITIVE_INFINITY): boolean => vectors?.indexVectors(until) ?? false,
    /**
     * Loads the model of `SearchOptions.loadEncoder`. Called when keyword search is ready, because it takes tens of
     * milliseconds. Resolves when `indexVectors` can continue.
     */
    async loadEncoder(): Promise<void> {
      if (vectors && !encoder) loading ??= loadEncoder?.().then(vectors.setEncoder);
      await loading;
    },
    remove,
    /**
     * Returns at most `limit` tools that `accepts` allows, best first. Never throws. `relevance` is 0 to 1, in descending order:
     * an exact name ranks above a partial match, which ranks above a match in tags only.
     */
    search(
      query: string,
      { limit, accepts = () => true }: { limit: number; accepts?: (key: string) => boolean },
    ): { key: string; relevance: number }[] {
      const count = Number.isFinite(limit) ? Math.max(0, Math.floor(limit)) : entries.size;
      return count === 0 ? [] : rank(ranker, query, count, accepts);
    },
    /**
     * Ranks a tool higher for this query and similar ones. If the tool is not in the index, the feedback applies once it
     * is added.
     */
    addFeedback: feedback.add,
    /** Removes the feedback for the query, for one tool or for all. */
    removeFeedback: feedback.remove,
  };
}
