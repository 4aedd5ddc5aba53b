/** Reads a query: which terms of the index it asks for, and how much each is worth. */
import { mendTypo, type Standing, splitCompound } from './mend.ts';
import type { Postings, Term } from './postings.ts';
import { type QueryWord, readText } from './query-text.ts';
import type { Tuning } from './tuning.ts';

/** Bounds on the work for one query; a question of a person or an agent stays far below. */
const mostTerms = 64;
const mostMended = 3;
/** Postings looked at; the commonest words, which decide least, are left out first. */
const mostPostings = 24_000;

/** A word of the query with the terms that stand for it. */
export interface QueryTerm {
  stem: string;
  standing: Standing[];
  /** Rarity among the tools × weight in the text. */
  worth: number;
}

export interface Query {
  text: string;
  terms: QueryTerm[];
  /** Sum of the terms' worth, and of words unknown to the index as well. */
  worth: number;
  /** Indexes into `terms` in the order of the text; words without meaning or unknown are passed over. */
  sequence: number[];
  /** Where it asks for several things: each of them by itself, made of the same terms. */
  needs: Query[];
}

/** Reads the text against the index as it is now. */
export function readQuery(text: string, postings: Postings, tuning: Tuning): Query {
  const words = readText(text, tuning.text);
  const weights = new Map<string, { word: QueryWord; at: number; weight: number }>();
  words.forEach((word, at) => {
    if (word.weight === 0) return;
    const known = weights.get(word.stem);
    if (known) known.weight = Math.max(known.weight, word.weight);
    else if (weights.size < mostTerms) weights.set(word.stem, { word, at, weight: word.weight });
  });
  const found: QueryTerm[] = [];
  let unknown = 0;
  let mended = 0;
  for (const { word, at, weight } of weights.values()) {
    let standing = knownTerms(word, words[at - 1], words[at + 1], postings, tuning);
    if (standing.length === 0 && mended < mostMended) {
      mended++;
      standing = mendTypo(word.raw, postings, tuning.typo);
    }
    if (standing.length > 0) found.push({ stem: word.stem, standing, worth: weight * rarityOf(standing, postings) });
    else unknown += weight * rarity(0, postings.size);
  }
  const terms = affordable(found, words.at(-1)?.need ? mostPostings / 2 : mostPostings);
  return {
    text,
    terms,
    worth: unknown + worthOf(terms),
    sequence: sequenceOf(words, terms),
    needs: needsAmong(words, terms),
  };
}

function needsAmong(words: QueryWord[], terms: QueryTerm[]): Query[] {
  const byNeed = Map.groupBy(words, (word) => word.need);
  if (byNeed.size < 2) return [];
  return [...byNeed.values()].map((ofNeed) => partOf(terms, ofNeed)).filter((part) => part.terms.length > 0);
}

/** The terms that the words ask for, as a query of their own. */
function partOf(all: QueryTerm[], words: QueryWord[]): Query {
  const asked = new Set(words.filter((word) => word.weight > 0).map((word) => word.stem));
  const terms = all.filter((term) => asked.has(term.stem));
  const text = words.map((word) => word.raw).join(' ');
  return { text, terms, worth: worthOf(terms), sequence: sequenceOf(words, terms), needs: [] };
}

function worthOf(terms: QueryTerm[]): number {
  return terms.reduce((sum, term) => sum + term.worth, 0);
}

function sequenceOf(words: QueryWord[], terms: QueryTerm[]): number[] {
  const index = new Map(terms.map((term, at) => [term.stem, at]));
  const sequence = words.map((word) => (word.weight > 0 ? index.get(word.stem) : undefined));
  return sequence.filter((at) => at !== undefined);
}

/** Terms for a word: itself, itself joined with a neighbour, its synonyms, or, where unknown, its two halves. */
function knownTerms(
  word: QueryWord,
  before: QueryWord | undefined,
  after: QueryWord | undefined,
  postings: Postings,
  tuning: Tuning,
): Standing[] {
  const standing: Standing[] = [];
  const add = (term: Term | undefined, factor: number) => {
    if (term && factor > 0 && !standing.some((one) => one.term === term)) standing.push({ term, factor });
  };
  const own = postings.term(word.stem);
  add(own, 1);
  if (before) add(postings.joined(before.raw, word.raw), tuning.compound);
  if (after) add(postings.joined(word.raw, after.raw), tuning.compound);
  const factor = own ? tuning.synonym : tuning.synonymOfUnknown;
  for (const synonym of postings.synonyms(word.stem)) add(synonym, factor);
  if (standing.length === 0) for (const part of splitCompound(word.raw, postings)) add(part, tuning.compound);
  return standing;
}

/** How rare the word is: that of the terms that stand for it best, the commonest of them. */
function rarityOf(standing: Standing[], postings: Postings): number {
  let best = 0;
  let having = 0;
  for (const { term, factor } of standing) {
    if (factor > best || (factor === best && term.size > having)) having = term.size;
    best = Math.max(best, factor);
  }
  return rarity(having, postings.size);
}

/** BM25's inverse document frequency; never negative. */
function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** Within the bound on postings: words of little worth lose first their synonyms, then their place. */
function affordable(terms: QueryTerm[], most: number): QueryTerm[] {
  let cost = terms.reduce((sum, term) => sum + costOf(term), 0);
  if (cost <= most) return terms;
  const cheapFirst = [...terms].sort((a, b) => a.worth - b.worth);
  for (const term of cheapFirst) {
    const [first] = term.standing;
    if (cost <= most || first === undefined) break;
    cost -= costOf(term);
    term.standing = [first];
    cost += costOf(term);
  }
  const dropped = new Set<QueryTerm>();
  for (const term of cheapFirst.slice(0, -1)) {
    if (cost <= most) break;
    dropped.add(term);
    cost -= costOf(term);
  }
  return terms.filter((term) => !dropped.has(term));
}

function costOf(term: QueryTerm): number {
  return term.standing.reduce((sum, one) => sum + one.term.size, 0);
}
