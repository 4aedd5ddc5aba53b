/** The ranking pipeline: retrieval, reranking, vectors, search feedback, diversification, relevance. */
import type { FeedbackIndex } from '../feedback/feedback-index.ts';
import type { Entry, Postings } from '../index/postings.ts';
import { bestCandidates, byScore, type Candidate, type Scratch } from '../index/scoring.ts';
import { splitWords } from '../lexicon/words.ts';
import type { Tuning } from '../tuning.ts';
import type { QueryVector, VectorIndex } from '../vectors/vector-index.ts';
import { diversify, type Reranked } from './diversify.ts';
import { merge, type Ranked } from './merge.ts';
import { type Query, readQuery } from './query.ts';
import { boostOf, hasUnrequestedAction, matchFields, pairsOf, withTermMarks } from './rerank.ts';

export interface Ranker {
  postings: Postings;
  feedback: FeedbackIndex;
  scratch: Scratch;
  tuning: Tuning;
  vectors?: VectorIndex;
  usage?: (key: string) => number;
}

/** Each intent of a query gets fewer candidates and a shorter list than a query with one intent. */
const candidatesPerIntent = 16;
const maxPerIntent = 10;
/** For each candidate, the number of tools that the fast approximation finds and whose exact similarity is computed. */
const nearbyPerCandidate = 3;

/** The ranked list; see `SearchIndex.search`. */
export function rank(ranker: Ranker, text: string, limit: number, accepts: (key: string) => boolean): Ranked[] {
  const { postings, feedback, tuning } = ranker;
  const query = readQuery(text, postings, tuning);
  const named = exactlyNamed(text, postings, accepts);
  const boosts = feedback.boosts(text, postings);
  const isAccepted = (slot: number) => {
    const entry = postings.entries[slot];
    return entry !== undefined && accepts(entry.key);
  };
  // Scan all vectors once for the whole query; its intents use the same results.
  const vector = ranker.vectors?.queryVector(text);
  const nearby = vector?.candidates(nearbyPerCandidate * tuning.candidates, isAccepted) ?? [];
  const list = listFor(ranker, query, { named, boosts, vector, nearby, limit, accepts });
  if (query.intents.length < 2 || tuning.intents === 0) return descending(list);
  const common = { named: new Set<Entry>(), boosts: new Map<string, number>(), nearby, accepts };
  const perIntent = { ...ranker, tuning: { ...tuning, candidates: candidatesPerIntent } };
  const lists = query.intents.map((intent) =>
    listFor(perIntent, intent, {
      ...common,
      vector: ranker.vectors?.queryVector(intent.text),
      limit: Math.min(limit, maxPerIntent),
    }),
  );
  return descending(merge(list, lists, tuning.intents, boosts).slice(0, limit));
}

interface ListOptions {
  /** Tools that the query names exactly; they rank first. */
  named: Set<Entry>;
  /** Search feedback for the query by tool key, 0 to 1. */
  boosts: Map<string, number>;
  vector: QueryVector | undefined;
  /** Slots of the tools whose vectors are near the query by a fast approximation. */
  nearby: number[];
  limit: number;
  accepts: (key: string) => boolean;
}

function listFor(
  { postings, scratch, tuning, usage }: Ranker,
  query: Query,
  { named, boosts, vector, nearby, limit, accepts }: ListOptions,
): Ranked[] {
  const found = bestCandidates(postings, query, tuning, scratch, Math.max(tuning.candidates, limit), accepts);
  for (const entry of named) if (!found.some((one) => one.entry === entry)) found.push({ entry, score: 0 });
  addBoosted(found, boosts, postings, accepts);
  if (vector) addNearest(found, vector, nearby, postings, tuning);
  const reranked = withTermMarks(query, () => rerank(found, query, vector, postings, tuning));
  const top = Math.max(0, ...reranked.map((one) => one.score));
  for (const one of reranked) {
    // Feedback for the same words puts a tool first; for similar words it raises it in proportion.
    one.score += (boosts.get(one.entry.key) ?? 0) * top;
    if (usage) one.score *= 1 + tuning.usage * Math.min(1, Math.max(0, usage(one.entry.key)));
  }
  reranked.sort(byScore);
  const first = reranked.filter((one) => named.has(one.entry));
  // Tools without a score are only near the query, and the query does not request their action.
  const others = reranked.filter(({ entry, score }) => (score > 0 || boosts.has(entry.key)) && !named.has(entry));
  const tagged = others.filter((one) => tagOnly(one, query));
  const partial = tagged.length > 0 ? others.filter((one) => !tagged.includes(one)) : others;
  return [
    ...first.map((one) => ({ key: one.entry.key, relevance: 1 })),
    ...diversify(partial, query, limit, tuning).map((one) => ({
      key: one.entry.key,
      relevance: 0.25 + 0.7 * certainty(one.score, query, tuning),
    })),
    ...tagged.map((one) => ({ key: one.entry.key, relevance: 0.2 * certainty(one.score, query, tuning) })),
  ].slice(0, limit);
}

function rerank(
  found: Candidate[],
  query: Query,
  vector: QueryVector | undefined,
  postings: Postings,
  tuning: Tuning,
): Reranked[] {
  const pairs = pairsOf(query);
  const shares = new Float32Array(query.terms.length);
  return found.map(({ entry, score }) => {
    const match = matchFields(entry, query, shares);
    const keywords = score * (1 + boostOf(entry, match, query, pairs, postings, tuning));
    const similarity = vector ? vectorWeight(query, tuning) * sharpened(vector.similarity(entry.slot)) : 0;
    return { entry, match, score: keywords + trustIn(entry, query, tuning) * similarity };
  });
}

/** Unrelated tools have a cosine of .1 to .3; the square keeps many of them from outweighing a keyword. */
function sharpened(cosine: number): number {
  return cosine * cosine;
}

/** Learned similarity alone must not surface a tool that deletes, sends or runs something. */
function trustIn(entry: Entry, query: Query, tuning: Tuning): number {
  if (!hasUnrequestedAction(entry, query)) return 1;
  return entry.isDangerous ? 0 : tuning.unrequestedAction;
}

/** Fast path: strings that cannot be identifiers. */
const plainChunk = /^[A-Z]?[a-z]*[.,;:!?]?$/;
/** The lookbehind avoids quadratic backtracking in long words. */
const identifiers = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+|(?<!\p{Ll})\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu;

/**
 * The tools that the query names exactly: the query is the name, or server and name, in any naming convention, or it
 * contains the name as an identifier ("use create_issue for this").
 */
function exactlyNamed(text: string, postings: Postings, accepts: (key: string) => boolean): Set<Entry> {
  const named = new Set<Entry>();
  const add = (plain: string) => {
    for (const entry of postings.named(plain)) if (named.size < 50 && accepts(entry.key)) named.add(entry);
  };
  if (text.length <= 300) add(splitWords(text, 40).join(' '));
  for (const chunk of text.slice(0, 1000).split(/\s+/)) {
    if (plainChunk.test(chunk)) continue;
    for (const [identifier] of chunk.matchAll(identifiers)) add(splitWords(identifier, 24).join(' '));
  }
  return named;
}

/** The score of a cosine of 1, as a share of the highest possible keyword score. */
function vectorWeight(query: Query, tuning: Tuning): number {
  return tuning.embeddings * query.weight * (tuning.k1 + 1);
}

function addNearest(
  found: Candidate[],
  queryVector: QueryVector,
  nearby: number[],
  { entries }: Postings,
  tuning: Tuning,
): void {
  const known = new Set(found.map(({ entry }) => entry.slot));
  const others = nearby.filter((slot) => !known.has(slot));
  for (const slot of queryVector.nearest(others, Math.ceil(tuning.candidates / 2), tuning.minSimilarity)) {
    const entry = entries[slot];
    if (entry) found.push({ entry, score: 0 });
  }
}

function addBoosted(
  found: Candidate[],
  boosts: Map<string, number>,
  postings: Postings,
  accepts: (key: string) => boolean,
): void {
  if (boosts.size === 0) return;
  for (const key of boosts.keys()) {
    if (found.some((one) => one.entry.key === key) || !accepts(key)) continue;
    const entry = postings.entries.find((one) => one?.key === key);
    if (entry) found.push({ entry, score: 0 });
  }
}

/** Whether the query matches only the tool's tags or category. */
function tagOnly({ entry, match }: Reranked, query: Query): boolean {
  if (entry.tagOnly.length === 0 || match.gain === 0) return false;
  return match.terms.every((at) =>
    query.terms[at]?.matches.every(({ term }) => !entry.terms.includes(term) || entry.tagOnly.includes(term)),
  );
}

/** The score relative to that of a perfect match, 0 to 1. */
function certainty(score: number, query: Query, tuning: Tuning): number {
  return 1 - Math.exp((-1.6 * score) / (query.weight * (tuning.k1 + 1) || 1));
}

function descending(list: Ranked[]): Ranked[] {
  let lowest = 1;
  return list.map(({ key, relevance }) => {
    lowest = Math.min(lowest, relevance);
    return { key, relevance: Math.round(lowest * 1000) / 1000 };
  });
}
