/** From a query to a ranked list. */
import type { Entry, Postings, Term } from './postings.ts';
import { synonymsOf } from './synonyms.ts';
import type { Tuning } from './tuning.ts';
import { isStopWord, splitWords, wordsOf } from './words.ts';

/** Bounds on a query: what lies beyond is not read, so that a pasted file costs no more than a question. */
const mostLetters = 2000;
const mostWords = 48;

interface Request {
  limit: number;
  accepts?: ((key: string) => boolean) | undefined;
  usage?: ((key: string) => number) | undefined;
}

interface Candidate {
  entry: Entry;
  score: number;
}

export function rank(postings: Postings, query: string, request: Request, tuning: Tuning) {
  const text = query.slice(0, mostLetters);
  const all = wordsOf(text, mostWords);
  const meaningful = all.filter((word) => !isStopWord(word.raw));
  const words = new Set((meaningful.length > 0 ? meaningful : all).map((word) => word.stem));
  const scores = new Float64Array(postings.entries.length);
  let best = 0;
  for (const stem of words) {
    const expansions: [Term, number][] = [];
    const term = postings.terms.get(stem);
    if (term) expansions.push([term, 1]);
    for (const other of synonymsOf(stem)) {
      const found = postings.terms.get(other);
      if (found) expansions.push([found, tuning.synonym]);
    }
    if (expansions.length === 0) continue;
    const frequency = new Map<number, number>();
    for (const [{ slots, strengths, size }, factor] of expansions) {
      for (let at = 0; at < size; at++) {
        const slot = slots[at] as number;
        frequency.set(slot, (frequency.get(slot) ?? 0) + factor * (strengths[at] as number));
      }
    }
    const df = (term ?? expansions[0]?.[0])?.size ?? 1;
    const idf = Math.log(1 + (postings.size - df + 0.5) / (df + 0.5));
    best += idf * (tuning.k1 + 1);
    for (const [slot, tf] of frequency) {
      scores[slot] = (scores[slot] as number) + (idf * (tuning.k1 + 1) * tf) / (tuning.k1 + tf);
    }
  }
  const exact = new Set(postings.named(splitWords(text, mostWords).join(' ')));
  const candidates: Candidate[] = [];
  for (const entry of postings.entries) {
    if (entry === undefined) continue;
    let score = (scores[entry.slot] as number) / Math.max(best, 1e-9);
    if (exact.has(entry)) score = 2;
    if (score > 0 && (request.accepts?.(entry.key) ?? true)) candidates.push({ entry, score });
  }
  candidates.sort((a, b) => b.score - a.score || (a.entry.key < b.entry.key ? -1 : 1));
  return candidates
    .slice(0, Math.max(0, request.limit))
    .map(({ entry, score }) => ({ key: entry.key, relevance: score >= 2 ? 1 : 0.3 + 0.65 * Math.min(1, score) }));
}
