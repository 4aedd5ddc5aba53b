/** From a query to a ranked list: first look, second look at the best, what was taught, spread, relevance. */
import type { Aliases } from './aliases.ts';
import type { Meaning, Sense } from './meaning.ts';
import { merge, type Ranked } from './merge.ts';
import type { Entry, Postings } from './postings.ts';
import { type Query, readQuery } from './query.ts';
import { bestCandidates, type Candidate, inOrder, type Scratch } from './scoring.ts';
import { boostOf, metBy, pairsOf, withMarks } from './second-look.ts';
import { type Seen, spread } from './spread.ts';
import type { Tuning } from './tuning.ts';
import { splitWords } from './words.ts';

export interface Ranker {
  postings: Postings;
  aliases: Aliases;
  scratch: Scratch;
  tuning: Tuning;
  meaning?: Meaning | undefined;
  usage: ((key: string) => number) | undefined;
}

/** For each of several needs fewer are looked at again than for a question of one, and its list is short. */
const candidatesOfNeed = 16;
const mostOfNeed = 10;

/** The ranked list; see `SearchIndex.search`. */
export function rank(ranker: Ranker, text: string, limit: number, accepts: (key: string) => boolean): Ranked[] {
  const { postings, aliases, tuning } = ranker;
  const query = readQuery(text, postings, tuning);
  const named = exactlyNamed(text, postings, accepts);
  const taught = aliases.raised(text, postings);
  const list = listFor(ranker, query, { named, taught, limit, accepts });
  if (query.needs.length < 2 || tuning.needs === 0) return neverRising(list);
  const none = { named: new Set<Entry>(), taught: new Map<string, number>(), accepts };
  const brief = { ...ranker, tuning: { ...tuning, candidates: candidatesOfNeed } };
  const lists = query.needs.map((need) => listFor(brief, need, { ...none, limit: Math.min(limit, mostOfNeed) }));
  return neverRising(merge(list, lists, tuning.needs, taught).slice(0, limit));
}

interface Wanted {
  /** What comes first whatever its words are. */
  named: Set<Entry>;
  /** What was taught for the query, and how much of it. */
  taught: Map<string, number>;
  limit: number;
  accepts: (key: string) => boolean;
}

function listFor(
  { postings, scratch, tuning, meaning, usage }: Ranker,
  query: Query,
  { named, taught, limit, accepts }: Wanted,
): Ranked[] {
  const found = bestCandidates(postings, query, tuning, scratch, Math.max(tuning.candidates, limit), accepts);
  for (const entry of named) if (!found.some((one) => one.entry === entry)) found.push({ entry, score: 0 });
  addRaised(found, taught, postings, accepts);
  const sense = meaning?.of(query.text);
  if (sense) addNear(found, sense, postings, tuning, accepts);
  const seen = withMarks(query, () => secondLook(found, query, postings, tuning));
  if (sense) for (const one of seen) one.score += worthOfMeaning(query, tuning) * sense.closeness(one.entry.slot);
  const top = Math.max(0, ...seen.map((one) => one.score));
  for (const one of seen) {
    // What was taught for the very same words comes first; for like words it rises by as much as they are alike.
    one.score += (taught.get(one.entry.key) ?? 0) * top;
    if (usage) one.score *= 1 + tuning.usage * Math.min(1, Math.max(0, usage(one.entry.key)));
  }
  seen.sort(inOrder);
  const first = seen.filter((one) => named.has(one.entry));
  const others = seen.filter((one) => !named.has(one.entry));
  const tagged = others.filter((one) => tagOnly(one, query));
  const partial = tagged.length > 0 ? others.filter((one) => !tagged.includes(one)) : others;
  return [
    ...first.map((one) => ({ key: one.entry.key, relevance: 1 })),
    ...spread(partial, query, limit, tuning).map((one) => ({
      key: one.entry.key,
      relevance: 0.25 + 0.7 * certainty(one.score, query, tuning),
    })),
    ...tagged.map((one) => ({ key: one.entry.key, relevance: 0.2 * certainty(one.score, query, tuning) })),
  ].slice(0, limit);
}

function secondLook(found: Candidate[], query: Query, postings: Postings, tuning: Tuning): Seen[] {
  const pairs = pairsOf(query);
  const shares = new Float32Array(query.terms.length);
  return found.map(({ entry, score }) => {
    const met = metBy(entry, query, shares);
    return { entry, met, score: score * (1 + boostOf(entry, met, query, pairs, postings, tuning)) };
  });
}

/** Most of what people write; no identifier. */
const plainChunk = /^[A-Z]?[a-z]*[.,;:!?]?$/;
/** Looking back keeps it from trying a long word again from each of its letters. */
const identifiers = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+|(?<!\p{Ll})\p{Ll}+\p{Lu}[\p{L}\p{N}]*/gu;

/**
 * The tools that the query names: it is their name or server and name, in whatever way of writing, or it holds their
 * name written as an identifier ("use create_issue for this").
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

/** What a tool that means exactly what was asked gets on top: so much of what one that says it in full can get. */
function worthOfMeaning(query: Query, tuning: Tuning): number {
  return tuning.meaning * query.worth * (tuning.k1 + 1);
}

function addNear(
  found: Candidate[],
  sense: Sense,
  { entries }: Postings,
  tuning: Tuning,
  accepts: (key: string) => boolean,
): void {
  const known = new Set(found.map(({ entry }) => entry.slot));
  const isNew = (slot: number) => {
    const entry = entries[slot];
    return entry !== undefined && !known.has(slot) && accepts(entry.key);
  };
  for (const slot of sense.nearest(tuning.candidates, tuning.leastMeaning, isNew)) {
    const entry = entries[slot];
    if (entry) found.push({ entry, score: 0 });
  }
}

function addRaised(
  found: Candidate[],
  raised: Map<string, number>,
  postings: Postings,
  accepts: (key: string) => boolean,
): void {
  if (raised.size === 0) return;
  for (const key of raised.keys()) {
    if (found.some((one) => one.entry.key === key) || !accepts(key)) continue;
    const entry = postings.entries.find((one) => one?.key === key);
    if (entry) found.push({ entry, score: 0 });
  }
}

/** Whether nothing but tags or the category speaks for the tool. */
function tagOnly({ entry, met }: Seen, query: Query): boolean {
  if (entry.tagOnly === undefined || entry.tagOnly.size === 0 || met.gain === 0) return false;
  return met.terms.every((at) =>
    query.terms[at]?.standing.every(({ term }) => !entry.terms.includes(term) || entry.tagOnly?.has(term)),
  );
}

/** 0 to 1: how much of what a perfect tool would score this one has. */
function certainty(score: number, query: Query, tuning: Tuning): number {
  return 1 - Math.exp((-1.6 * score) / (query.worth * (tuning.k1 + 1) || 1));
}

function neverRising(list: Ranked[]): Ranked[] {
  let lowest = 1;
  return list.map(({ key, relevance }) => {
    lowest = Math.min(lowest, relevance);
    return { key, relevance: Math.round(lowest * 1000) / 1000 };
  });
}
