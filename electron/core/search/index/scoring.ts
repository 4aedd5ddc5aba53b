/** First-stage retrieval: BM25 scores over the inverted index, and the best candidates. */
import type { TermMatch } from '../query/fuzzy-match.ts';
import type { Query, QueryTerm } from '../query/query.ts';
import type { Tuning } from '../tuning.ts';
import type { Entry, Postings } from './postings.ts';

export interface Candidate {
  entry: Entry;
  /** Sum over the query terms of weight × saturated frequency. */
  score: number;
}

/** Buffers indexed by slot, which all queries reuse. Each query resets them to zero. */
export interface Scratch {
  scores: Float32Array;
  /** Weighted frequency of the synonyms and variants of the current query term. */
  others: Float32Array;
}

/** Buffers with `slots` entries. */
export function createScratch(slots = 1024): Scratch {
  return { scores: new Float32Array(slots), others: new Float32Array(slots) };
}

/** The `count` best accepted tools for the query, best first; ties are ordered by key. */
export function bestCandidates(
  postings: Postings,
  query: Query,
  tuning: Tuning,
  scratch: Scratch,
  count: number,
  accepts: (key: string) => boolean,
): Candidate[] {
  const room = Math.ceil(postings.entries.length / 4) * 4;
  if (scratch.scores.length < room) Object.assign(scratch, createScratch(room * 2));
  for (const term of query.terms) addTerm(term, tuning.k1, scratch);
  const scores = scratch.scores.subarray(0, room);
  const best = select(postings, scores, count, accepts);
  scores.fill(0);
  return best;
}

/**
 * Adds the BM25 score of one query term. The frequencies of the term, its synonyms and its variants are summed before
 * saturation, because a tool that contains both a word and its synonym matches one term of the query, not two.
 */
function addTerm({ matches: [first, ...rest], weight }: QueryTerm, k1: number, { scores, others }: Scratch): void {
  const gain = weight * (k1 + 1);
  for (const one of rest) collect(one, others);
  if (first && rest.length === 0) addAlone(first, gain, k1, scores);
  else if (first) add(first, gain, k1, scores, others);
  for (const one of rest) addCollected(one, gain, k1, scores, others);
}

function collect({ term: { slots, strengths, size }, factor }: TermMatch, others: Float32Array): void {
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    others[slot] = (others[slot] as number) + factor * (strengths[at] as number);
  }
}

function add({ term, factor }: TermMatch, gain: number, k1: number, scores: Float32Array, others: Float32Array): void {
  const { slots, strengths, size } = term;
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    const frequency = (others[slot] as number) + factor * (strengths[at] as number);
    others[slot] = 0;
    scores[slot] = (scores[slot] as number) + (gain * frequency) / (k1 + frequency);
  }
}

function addAlone({ term, factor }: TermMatch, gain: number, k1: number, scores: Float32Array): void {
  const { slots, strengths, size } = term;
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    const frequency = factor * (strengths[at] as number);
    scores[slot] = (scores[slot] as number) + (gain * frequency) / (k1 + frequency);
  }
}

function addCollected({ term }: TermMatch, gain: number, k1: number, scores: Float32Array, others: Float32Array): void {
  const { slots, size } = term;
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    const frequency = others[slot] as number;
    if (frequency === 0) continue;
    others[slot] = 0;
    scores[slot] = (scores[slot] as number) + (gain * frequency) / (k1 + frequency);
  }
}

/**
 * Calls `accepts` for as few tools as possible, because fetching an entry from memory costs as much as reading many
 * postings. Needs several rounds if it rejects many tools.
 */
function select(
  { entries }: Postings,
  scores: Float32Array,
  count: number,
  accepts: (key: string) => boolean,
): Candidate[] {
  const found: Candidate[] = [];
  let above = Number.POSITIVE_INFINITY;
  for (let wanted = count; found.length < count && above > 0; wanted *= 4) {
    const least = reachedByAbout(2 * wanted + margin, scores);
    for (const slot of between(least, above, scores)) {
      const score = scores[slot] as number;
      if (found.length >= count && score < (found[found.length - 1] as Candidate).score) break;
      const entry = entries[slot];
      if (entry && accepts(entry.key)) found.push({ entry, score });
    }
    above = least;
  }
  return found.sort(byScore).slice(0, count);
}

/** The slots with `least` <= score < `above`, best first. */
function between(least: number, above: number, scores: Float32Array): number[] {
  const slots: number[] = [];
  // Check four scores at a time, because nearly all are too low. The length of `scores` is a multiple of four.
  for (let four = 0; four < scores.length; four += 4) {
    if (
      (scores[four] as number) < least &&
      (scores[four + 1] as number) < least &&
      (scores[four + 2] as number) < least &&
      (scores[four + 3] as number) < least
    ) {
      continue;
    }
    for (let slot = four; slot < four + 4; slot++) {
      const score = scores[slot] as number;
      if (score >= least && score < above && score > 0) slots.push(slot);
    }
  }
  return slots.sort((a, b) => (scores[b] as number) - (scores[a] as number));
}

/** Samples one of this many scores. The margin covers the error of the estimate. */
const sampled = 8;
const margin = 2 * sampled;

/** The score that about `count` tools reach, estimated from a sample; 0 when fewer may have a score. */
function reachedByAbout(count: number, scores: Float32Array): number {
  // A min-heap of the best sampled scores.
  const heap = new Float32Array(Math.ceil(count / sampled));
  for (let slot = 0; slot < scores.length; slot += sampled) {
    const score = scores[slot] as number;
    if (score > (heap[0] as number)) replaceTop(heap, score);
  }
  return heap[0] as number;
}

function replaceTop(heap: Float32Array, score: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if (score <= (heap[child] as number)) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = score;
}

/** Comparator: higher score first, then by key. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.entry.key < b.entry.key ? -1 : 1);
}
