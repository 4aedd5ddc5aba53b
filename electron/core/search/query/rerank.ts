/** Second-stage reranking of the best candidates by name coverage, phrases and other features of the whole tool. */
import type { Entry, Postings, Term } from '../index/postings.ts';
import { isNounForm, requestsAction } from '../lexicon/action-verbs.ts';
import type { Tuning } from '../tuning.ts';
import type { Query, QueryTerm } from './query.ts';

/** Sets `queryTerm` and `matchFactor` on the matching terms while `work` runs. */
export function withTermMarks<T>(query: Query, work: () => T): T {
  query.terms.forEach(({ matches }, at) => {
    for (const { term, factor } of matches) {
      if (term.matchFactor >= factor) continue;
      term.queryTerm = at;
      term.matchFactor = factor;
    }
  });
  try {
    return work();
  } finally {
    for (const { matches } of query.terms) {
      for (const { term } of matches) {
        term.queryTerm = -1;
        term.matchFactor = 0;
      }
    }
  }
}

/** The query terms that an entry matches. */
export interface FieldMatch {
  /** Ascending indexes into the terms of the query. */
  terms: number[];
  /** How well the entry matches each of these terms, 0 to 1. */
  shares: number[];
  /** `shares` × term weights, and their sum. */
  gains: number[];
  gain: number;
}

/**
 * Call inside `withTermMarks`. `shares` is a zeroed buffer with one element per query term; it is zero again
 * afterwards.
 */
export function matchFields(entry: Entry, query: Query, shares: Float32Array): FieldMatch {
  for (const term of entry.terms) {
    // Check this first, because nearly all terms stop here.
    if (term.queryTerm < 0) continue;
    if (term.matchFactor > (shares[term.queryTerm] as number)) shares[term.queryTerm] = term.matchFactor;
  }
  const match: FieldMatch = { terms: [], shares: [], gains: [], gain: 0 };
  for (let at = 0; at < query.terms.length; at++) {
    const share = shares[at] as number;
    if (share === 0) continue;
    shares[at] = 0;
    const gain = share * (query.terms[at] as QueryTerm).weight;
    match.terms.push(at);
    match.shares.push(share);
    match.gains.push(gain);
    match.gain += gain;
  }
  return match;
}

/** The sum of the entry's weighted features. Call inside `withTermMarks`. */
export function boostOf(
  entry: Entry,
  match: FieldMatch,
  query: Query,
  pairs: Set<number>,
  postings: Postings,
  tuning: Tuning,
): number {
  return (
    tuning.name * nameShare(entry, postings) +
    tuning.verb * leadingWord(entry) +
    tuning.phrase * phrases(entry, match, query, pairs, postings) +
    tuning.coverage * (match.gain / (query.weight || 1)) +
    tuning.server * serverShare(entry)
  );
}

/** Whether the tool is dangerous or its name has action verbs, and the query does not request them. Call inside `withTermMarks`. */
export function hasUnrequestedAction({ isDangerous, actions }: Entry, query: Query): boolean {
  if (actions.length === 0) return isDangerous;
  return !actions.every((term) => isRequested(term, query));
}

/** "Installations" and "pipelines" request nothing; a synonym requests the action only if it is an action verb. */
function isRequested({ queryTerm, matchFactor }: Term, { terms }: Query): boolean {
  const term = terms[queryTerm];
  return term !== undefined && !isNounForm(term.raw) && (matchFactor === 1 || requestsAction(term.stem));
}

/** How well the term matches, 0 to 1. The square root favors synonyms, which in a name are nearly as good as the word. */
function matchOf(term: Term | undefined): number {
  return term === undefined || term.queryTerm < 0 ? 0 : Math.sqrt(term.matchFactor);
}

function nameShare(entry: Entry, postings: Postings): number {
  let matched = 0;
  let all = 0;
  for (const term of entry.name) {
    const idf = Math.log(1 + postings.size / term.size);
    all += idf;
    matched += matchOf(term) * idf;
  }
  return all === 0 ? 0 : matched / all;
}

function leadingWord(entry: Entry): number {
  return Math.max(matchOf(entry.name[0]), matchOf(entry.description[0]));
}

/** Pairs of adjacent query terms, each encoded as one number. */
export function pairsOf(query: Query): Set<number> {
  const pairs = new Set<number>();
  query.sequence.forEach((at, index) => {
    const before = query.sequence[index - 1];
    if (before !== undefined && before !== at) pairs.add(before * query.terms.length + at);
  });
  return pairs;
}

function phrases(entry: Entry, match: FieldMatch, query: Query, pairs: Set<number>, postings: Postings): number {
  if (match.terms.length < 2) return 0;
  const seen: number[] = [];
  let sum = 0;
  for (const terms of [entry.name, entry.description]) {
    let before = -1;
    for (const { queryTerm } of terms) {
      const pair = before * query.terms.length + queryTerm;
      if (before >= 0 && queryTerm >= 0 && pairs.has(pair) && !seen.includes(pair)) {
        seen.push(pair);
        sum += (query.terms[before]?.weight ?? 0) + (query.terms[queryTerm]?.weight ?? 0);
      }
      before = queryTerm;
    }
  }
  return sum / Math.log(postings.size + 2);
}

function serverShare(entry: Entry): number {
  let matched = 0;
  for (const term of entry.server) if (term.matchFactor === 1) matched++;
  return matched / (entry.server.length || 1);
}
