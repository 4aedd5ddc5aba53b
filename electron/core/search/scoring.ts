/** The first look: adds up what each term of the query is worth in each tool, and keeps the best. */
import type { Standing } from './mend.ts';
import type { Entry, Postings } from './postings.ts';
import type { Query, QueryTerm } from './query.ts';
import type { Tuning } from './tuning.ts';

export interface Candidate {
  entry: Entry;
  /** Sum over the query's terms of worth × saturated frequency. */
  score: number;
}

/** Working space, by slot, that grows with the index and is handed from query to query, always left filled with zeros. */
export interface Scratch {
  scores: Float32Array;
  /** What a tool has of all that stands for the word that is being added, the word itself left out. */
  others: Float32Array;
}

/** Working space for a small index. */
export function createScratch(room = 1024): Scratch {
  return { scores: new Float32Array(room), others: new Float32Array(room) };
}

/** The `count` best tools for the query among those accepted, best first; equals in the order of their keys. */
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
 * Adds what a word is worth, with BM25's diminishing returns, to the score of each tool that has it or, weighed less, one
 * that stands for it. Frequencies are summed before, so that naming a thing twice counts once. Tools are not listed as
 * they get their first score: to look at all of them afterwards costs less.
 */
function addTerm({ standing: [first, ...rest], worth }: QueryTerm, k1: number, { scores, others }: Scratch): void {
  const gain = worth * (k1 + 1);
  for (const one of rest) collect(one, others);
  if (first && rest.length === 0) addAlone(first, gain, k1, scores);
  else if (first) add(first, gain, k1, scores, others);
  for (const one of rest) addCollected(one, gain, k1, scores, others);
}

function collect({ term: { slots, strengths, size }, factor }: Standing, others: Float32Array): void {
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    others[slot] = (others[slot] as number) + factor * (strengths[at] as number);
  }
}

function add({ term, factor }: Standing, gain: number, k1: number, scores: Float32Array, others: Float32Array): void {
  const { slots, strengths, size } = term;
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    const frequency = (others[slot] as number) + factor * (strengths[at] as number);
    others[slot] = 0;
    scores[slot] = (scores[slot] as number) + (gain * frequency) / (k1 + frequency);
  }
}

function addAlone({ term, factor }: Standing, gain: number, k1: number, scores: Float32Array): void {
  const { slots, strengths, size } = term;
  for (let at = 0; at < size; at++) {
    const slot = slots[at] as number;
    const frequency = factor * (strengths[at] as number);
    scores[slot] = (scores[slot] as number) + (gain * frequency) / (k1 + frequency);
  }
}

function addCollected({ term }: Standing, gain: number, k1: number, scores: Float32Array, others: Float32Array): void {
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
 * Asks about no more tools than it must, in several goes where many are refused: to fetch a tool from memory costs as
 * much as many postings.
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
  return found.sort(inOrder).slice(0, count);
}

/** The slots with scores from `least` on and below `above`, best first. */
function between(least: number, above: number, scores: Float32Array): number[] {
  const slots: number[] = [];
  // Four at a time, since nearly all are too low: `scores` has room for whole fours.
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

/** One in so many scores tells about the others; it is off by several times as many, and to look again costs more. */
const sampled = 8;
const margin = 2 * sampled;

/** The score that about `count` tools reach, from a sample of them; 0 where there may be fewer. */
function reachedByAbout(count: number, scores: Float32Array): number {
  // A heap of the best, the least of them on top.
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

/** For sorting: the higher score first, equals by key. */
export function inOrder(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.entry.key < b.entry.key ? -1 : 1);
}
