/** The first look: adds up what each term of the query is worth in each tool, and keeps the best. */
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
  if (scratch.scores.length < room) {
    scratch.scores = new Float32Array(room * 2);
    scratch.frequencies = new Float32Array(room * 2);
  }
  const { scores, frequencies } = scratch;
  const touched: number[] = [];
  for (const { standing, worth } of query.terms) {
    const gain = worth * (tuning.k1 + 1);
    const add = (slot: number, frequency: number) => {
      const before = scores[slot] as number;
      if (before === 0) touched.push(slot);
      scores[slot] = before + (gain * frequency) / (tuning.k1 + frequency);
    };
    const [first] = standing;
    if (standing.length === 1 && first) {
      const { slots, strengths, size } = first.term;
      for (let at = 0; at < size; at++) add(slots[at] as number, first.factor * (strengths[at] as number));
      continue;
    }
    // A synonym is folded into the frequency of the word it stands for, so that naming a thing twice counts once.
    const seen: number[] = [];
    for (const { term, factor } of standing) {
      const { slots, strengths, size } = term;
      for (let at = 0; at < size; at++) {
        const slot = slots[at] as number;
        if (frequencies[slot] === 0) seen.push(slot);
        frequencies[slot] = (frequencies[slot] as number) + factor * (strengths[at] as number);
      }
    }
    for (const slot of seen) {
      add(slot, frequencies[slot] as number);
      frequencies[slot] = 0;
    }
  }
  return select(postings, touched, scores, count, accepts);
}

/** Empties `scores` while it picks, with a heap whose top is the worst of the chosen. */
function select(
  postings: Postings,
  touched: number[],
  scores: Float32Array,
  count: number,
  accepts: (key: string) => boolean,
): Candidate[] {
  const heap: Candidate[] = [];
  for (const slot of touched) {
    const score = scores[slot] as number;
    scores[slot] = 0;
    const worst = heap[0];
    if (heap.length === count && worst && score < worst.score) continue;
    const entry = postings.entries[slot];
    if (entry === undefined || !accepts(entry.key)) continue;
    const candidate = { entry, score };
    if (heap.length < count) {
      heap.push(candidate);
      rise(heap, heap.length - 1);
    } else if (worst && better(candidate, worst)) {
      heap[0] = candidate;
      sink(heap);
    }
  }
  return heap.sort(inOrder);
}

/** For sorting: the higher score first, equals by key. */
export function inOrder(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.entry.key < b.entry.key ? -1 : 1);
}

function better(a: Candidate, b: Candidate): boolean {
  return a.score > b.score || (a.score === b.score && a.entry.key < b.entry.key);
}

function rise(heap: Candidate[], from: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const child = heap[at] as Candidate;
    const above = heap[parent] as Candidate;
    if (better(child, above)) return;
    heap[at] = above;
    heap[parent] = child;
    at = parent;
  }
}

function sink(heap: Candidate[]): void {
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && better(heap[worst] as Candidate, heap[child] as Candidate)) worst = child;
    }
    if (worst === at) return;
    const held = heap[at] as Candidate;
    heap[at] = heap[worst] as Candidate;
    heap[worst] = held;
    at = worst;
  }
}
