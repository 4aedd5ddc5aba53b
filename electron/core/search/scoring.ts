/** The first look: adds up what each term of the query is worth in each tool, and keeps the best. */

import type { Standing } from './mend.ts';
import type { Entry, Postings } from './postings.ts';
import type { Query } from './query.ts';
import type { Tuning } from './tuning.ts';

export interface Candidate {
  entry: Entry;
  /** Sum over the query's terms of worth × saturated frequency. */
  score: number;
}

/** Working space that grows with the index and is handed from query to query, always left filled with zeros. */
export interface Scratch {
  scores: Float32Array;
  frequencies: Float32Array;
  /** Slots whose score is not zero, and slots whose frequency is not. */
  scored: Int32Array;
  seen: Int32Array;
}

/** Working space for a small index. */
export function createScratch(room = 1024): Scratch {
  return {
    scores: new Float32Array(room),
    frequencies: new Float32Array(room),
    scored: new Int32Array(room),
    seen: new Int32Array(room),
  };
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
  const room = postings.entries.length;
  if (scratch.scores.length < room) Object.assign(scratch, createScratch(room * 2));
  const { scores, scored } = scratch;
  let touched = 0;
  for (const { standing, worth } of query.terms) {
    const count = fold(standing, scratch);
    const gain = worth * (tuning.k1 + 1);
    touched = saturate(count, gain, tuning.k1, scratch, touched);
  }
  return select(postings, scored.subarray(0, touched), scores, count, accepts);
}

/**
 * Adds up what each tool has of a word and, weighed less, of those that stand for it, so that naming a thing twice
 * counts once. Returns how many tools have any.
 */
function fold(standing: Standing[], { frequencies, seen }: Scratch): number {
  let count = 0;
  for (const { term, factor } of standing) {
    const { slots, strengths, size } = term;
    for (let at = 0; at < size; at++) {
      const slot = slots[at] as number;
      const before = frequencies[slot] as number;
      if (before === 0) seen[count++] = slot;
      frequencies[slot] = before + factor * (strengths[at] as number);
    }
  }
  return count;
}

/** Moves the frequencies, with BM25's diminishing returns, into the scores. Returns how many tools have a score now. */
function saturate(
  count: number,
  gain: number,
  k1: number,
  { frequencies, seen, scores, scored }: Scratch,
  from: number,
) {
  let touched = from;
  for (let at = 0; at < count; at++) {
    const slot = seen[at] as number;
    const frequency = frequencies[slot] as number;
    frequencies[slot] = 0;
    const before = scores[slot] as number;
    if (before === 0) scored[touched++] = slot;
    scores[slot] = before + (gain * frequency) / (k1 + frequency);
  }
  return touched;
}

/** Empties `scores` while it picks, with a heap of slots whose top is the worst of the chosen. */
function select(
  { entries }: Postings,
  touched: Int32Array,
  scores: Float32Array,
  count: number,
  accepts: (key: string) => boolean,
): Candidate[] {
  const slots = new Int32Array(count);
  const heap = new Float32Array(count);
  let size = 0;
  for (let index = 0; index < touched.length; index++) {
    const slot = touched[index] as number;
    const score = scores[slot] as number;
    scores[slot] = 0;
    if (size === count && score < (heap[0] as number)) continue;
    const key = entries[slot]?.key ?? '';
    if (size === count && score === heap[0] && key > (entries[slots[0] as number]?.key ?? '')) continue;
    if (!accepts(key)) continue;
    if (size < count) rise(size++, slot, score);
    else sink(slot, score);
  }
  const found: Candidate[] = [];
  for (let at = 0; at < size; at++) {
    const entry = entries[slots[at] as number];
    if (entry) found.push({ entry, score: heap[at] as number });
  }
  return found.sort(inOrder);

  function worse(score: number, slot: number, at: number): boolean {
    const other = heap[at] as number;
    return score < other || (score === other && keyOf(slot) > keyOf(slots[at] as number));
  }

  function keyOf(slot: number): string {
    return entries[slot]?.key ?? '';
  }

  function rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!worse(score, slot, parent)) break;
      put(at, slots[parent] as number, heap[parent] as number);
      at = parent;
    }
    put(at, slot, score);
  }

  function sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && worse(heap[child + 1] as number, slots[child + 1] as number, child)) child++;
      if (worse(score, slot, child)) break;
      put(at, slots[child] as number, heap[child] as number);
      at = child;
    }
    put(at, slot, score);
  }

  function put(at: number, slot: number, score: number): void {
    slots[at] = slot;
    heap[at] = score;
  }
}

/** For sorting: the higher score first, equals by key. */
export function inOrder(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.entry.key < b.entry.key ? -1 : 1);
}
