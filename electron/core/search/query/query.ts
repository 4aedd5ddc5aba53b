/** Parses a query into weighted terms of the index. */
import type { Postings, Term } from '../index/postings.ts';
import { glossesOf } from '../lexicon/glossary.ts';
import type { Tuning } from '../tuning.ts';
import { correctTypo, splitCompound, type TermMatch } from './fuzzy-match.ts';
import { type QueryWord, readText } from './query-text.ts';

/** Limits on the work for one query. Ordinary queries stay far below them. */
const maxTerms = 64;
const maxGlossed = 200;
const maxCorrections = 3;
/** Maximum number of postings to read. The most common words, which matter least, are dropped first. */
const maxPostings = 24_000;

/** A word of the query with the indexed terms that match it. */
export interface QueryTerm {
  raw: string;
  stem: string;
  matches: TermMatch[];
  /** Inverse document frequency × weight in the query text. */
  weight: number;
}

export interface Query {
  text: string;
  terms: QueryTerm[];
  /** Sum of the weights of all words, including words that the index does not contain. */
  weight: number;
  /** Indexes into `terms` in text order, without stop words and unknown words. */
  sequence: number[];
  /** One query per intent when the text has several, made of the same terms. */
  intents: Query[];
}

/** Parses the text against the current content of the index. */
export function readQuery(text: string, postings: Postings, tuning: Tuning): Query {
  const glosses = glossesOf(text.slice(0, maxGlossed));
  const words = readText(glosses === '' ? text : `${text} ${glosses}`, tuning.text);
  const weights = new Map<string, { word: QueryWord; at: number; weight: number }>();
  words.forEach((word, at) => {
    if (word.weight === 0) return;
    const known = weights.get(word.stem);
    if (known) known.weight = Math.max(known.weight, word.weight);
    else if (weights.size < maxTerms) weights.set(word.stem, { word, at, weight: word.weight });
  });
  const found: QueryTerm[] = [];
  let unknown = 0;
  let corrected = 0;
  for (const { word, at, weight } of weights.values()) {
    let matches = knownTerms(word, words[at - 1], words[at + 1], postings, tuning);
    if (matches.length === 0 && corrected < maxCorrections) {
      corrected++;
      matches = correctTypo(word.raw, postings, tuning.typo);
    }
    if (matches.length > 0)
      found.push({ raw: word.raw, stem: word.stem, matches, weight: weight * idfOf(matches, postings) });
    else unknown += weight * idf(0, postings.size);
  }
  const terms = affordable(found, words.at(-1)?.intent ? maxPostings / 2 : maxPostings);
  return {
    text,
    terms,
    weight: unknown + weightOf(terms),
    sequence: sequenceOf(words, terms),
    intents: intentsAmong(words, terms),
  };
}

function intentsAmong(words: QueryWord[], terms: QueryTerm[]): Query[] {
  const byIntent = Map.groupBy(words, (word) => word.intent);
  if (byIntent.size < 2) return [];
  return [...byIntent.values()].map((ofIntent) => partOf(terms, ofIntent)).filter((part) => part.terms.length > 0);
}

/** A query made of the terms of these words. */
function partOf(all: QueryTerm[], words: QueryWord[]): Query {
  const wanted = new Set(words.filter((word) => word.weight > 0).map((word) => word.stem));
  const terms = all.filter((term) => wanted.has(term.stem));
  const text = words.map((word) => word.raw).join(' ');
  return { text, terms, weight: weightOf(terms), sequence: sequenceOf(words, terms), intents: [] };
}

function weightOf(terms: QueryTerm[]): number {
  return terms.reduce((sum, term) => sum + term.weight, 0);
}

function sequenceOf(words: QueryWord[], terms: QueryTerm[]): number[] {
  const index = new Map(terms.map((term, at) => [term.stem, at]));
  const sequence = words.map((word) => (word.weight > 0 ? index.get(word.stem) : undefined));
  return sequence.filter((at) => at !== undefined);
}

/** Terms that match a word: the word, compounds with its neighbors, and its synonyms; otherwise, its two halves. */
function knownTerms(
  word: QueryWord,
  before: QueryWord | undefined,
  after: QueryWord | undefined,
  postings: Postings,
  tuning: Tuning,
): TermMatch[] {
  const matches: TermMatch[] = [];
  const add = (term: Term | undefined, factor: number) => {
    if (term && factor > 0 && !matches.some((one) => one.term === term)) matches.push({ term, factor });
  };
  const own = postings.term(word.stem);
  add(own, 1);
  if (before) add(postings.joined(before.raw, word.raw), tuning.compound);
  if (after) add(postings.joined(word.raw, after.raw), tuning.compound);
  const factor = own ? tuning.synonym : tuning.synonymOfUnknown;
  for (const synonym of postings.synonyms(word.stem)) add(synonym, factor);
  if (matches.length === 0) for (const part of splitCompound(word.raw, postings)) add(part, tuning.compound);
  return matches;
}

/** The inverse document frequency of the best match. Among equally good matches, uses the most common one. */
function idfOf(matches: TermMatch[], postings: Postings): number {
  let best = 0;
  let documents = 0;
  for (const { term, factor } of matches) {
    if (factor > best || (factor === best && term.size > documents)) documents = term.size;
    best = Math.max(best, factor);
  }
  return idf(documents, postings.size);
}

/** The inverse document frequency of BM25; never negative. */
function idf(documents: number, all: number): number {
  return Math.log(1 + (all - documents + 0.5) / (documents + 0.5));
}

/** Enforces the limit on postings: removes the synonyms of terms with low weight first, then the terms. */
function affordable(terms: QueryTerm[], most: number): QueryTerm[] {
  let cost = terms.reduce((sum, term) => sum + costOf(term), 0);
  if (cost <= most) return terms;
  const cheapFirst = [...terms].sort((a, b) => a.weight - b.weight);
  for (const term of cheapFirst) {
    const [first] = term.matches;
    if (cost <= most || first === undefined) break;
    cost -= costOf(term);
    term.matches = [first];
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
  return term.matches.reduce((sum, one) => sum + one.term.size, 0);
}
