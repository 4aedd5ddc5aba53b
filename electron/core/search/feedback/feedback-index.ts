/** In-memory search feedback: which tool was right for which query. */
import type { Postings } from '../index/postings.ts';
import { readText } from '../query/query-text.ts';
import { defaultTuning } from '../tuning.ts';

/** One piece of feedback. */
interface FeedbackEntry {
  query: string;
  key: string;
  /** Confidence, 0 to 1; 1 by default. */
  strength?: number;
}

export type FeedbackIndex = ReturnType<typeof createFeedbackIndex>;

/** The oldest entries are dropped beyond this number. */
const maxEntries = 2000;
/** Feedback for a less similar query is ignored. */
const minSimilarity = 0.5;
const maxQueryLength = 500;

interface IndexedEntry extends FeedbackEntry {
  id: string;
  strength: number;
  stems: Set<string>;
}

export function createFeedbackIndex() {
  const entries = new Map<string, IndexedEntry>();
  const byStem = new Map<string, Set<IndexedEntry>>();

  function drop(entry: IndexedEntry): void {
    entries.delete(entry.id);
    for (const stem of entry.stems) {
      const sharing = byStem.get(stem);
      sharing?.delete(entry);
      if (sharing?.size === 0) byStem.delete(stem);
    }
  }

  return {
    add({ query, key, strength = 1 }: FeedbackEntry): void {
      const stems = stemsOf(query);
      if (stems.size === 0) return;
      const id = `${[...stems].sort().join(' ')}\n${key}`;
      const known = entries.get(id);
      if (known) drop(known);
      const entry = { id, query: query.slice(0, maxQueryLength), key, strength, stems };
      entries.set(id, entry);
      for (const stem of stems) {
        const sharing = byStem.get(stem);
        if (sharing) sharing.add(entry);
        else byStem.set(stem, new Set([entry]));
      }
      const [oldest] = entries.values();
      if (oldest && entries.size > maxEntries) drop(oldest);
    },

    remove(query: string, key?: string): void {
      for (const entry of [...entries.values()]) {
        if (entry.query === query.slice(0, maxQueryLength) && (key === undefined || entry.key === key)) drop(entry);
      }
    },

    /**
     * Returns a boost for each tool key, above 0 and at most 1: the similarity of `query` to queries with feedback, times the
     * confidence.
     */
    boosts(query: string, postings: Postings): Map<string, number> {
      const boosts = new Map<string, number>();
      if (entries.size === 0) return boosts;
      const stems = stemsOf(query);
      const sharing = new Set<IndexedEntry>();
      for (const stem of stems) for (const entry of byStem.get(stem) ?? []) sharing.add(entry);
      for (const entry of sharing) {
        const similarity = similarityOf(stems, entry.stems, postings);
        if (similarity < minSimilarity) continue;
        boosts.set(entry.key, Math.max(similarity * entry.strength, boosts.get(entry.key) ?? 0));
      }
      return boosts;
    },
  };
}

/** The stems of a query without stop words, and without filler words unless they are the only words. */
export function stemsOf(query: string): Set<string> {
  const words = readText(query, defaultTuning.text).filter((word) => word.weight > 0);
  const capability = words.filter((word) => word.weight > defaultTuning.text.filler);
  return new Set((capability.length > 0 ? capability : words).map((word) => word.stem));
}

/** Jaccard similarity weighted by inverse document frequency. */
function similarityOf(a: Set<string>, b: Set<string>, postings: Postings): number {
  let shared = 0;
  let all = 0;
  for (const stem of a.union(b)) {
    const weight = Math.log(2 + postings.size / (1 + (postings.term(stem)?.size ?? 0)));
    all += weight;
    if (a.has(stem) && b.has(stem)) shared += weight;
  }
  return all === 0 ? 0 : shared / all;
}
