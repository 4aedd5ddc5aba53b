/** The second look: what the words of a tool, taken together and in their order, say for it. Only for the best few. */
import type { Entry, Postings, Term } from './postings.ts';
import type { Query, QueryTerm } from './query.ts';
import type { Tuning } from './tuning.ts';

/** Marks the terms that stand for a word of the query, for as long as `work` runs. */
export function withMarks<T>(query: Query, work: () => T): T {
  query.terms.forEach(({ standing }, at) => {
    for (const { term, factor } of standing) {
      if (term.askedBy >= factor) continue;
      term.askedAs = at;
      term.askedBy = factor;
    }
  });
  try {
    return work();
  } finally {
    for (const { standing } of query.terms) {
      for (const { term } of standing) {
        term.askedAs = -1;
        term.askedBy = 0;
      }
    }
  }
}

/** What of a query an entry meets. Mostly few of its terms, so only those are listed. */
export interface Met {
  /** Indexes into the query's terms, rising. */
  terms: number[];
  /** How well each of these is met, 0 to 1. */
  shares: number[];
  /** The same times what the term is worth, and the sum of that. */
  gains: number[];
  gain: number;
}

/** Needs the marks. `shares` has room for all terms of the query and is left filled with zeros. */
export function metBy(entry: Entry, query: Query, shares: Float32Array): Met {
  for (const term of entry.terms) {
    // Nearly all stop here; to read how well one stands for the word is another look into memory.
    if (term.askedAs < 0) continue;
    if (term.askedBy > (shares[term.askedAs] as number)) shares[term.askedAs] = term.askedBy;
  }
  const met: Met = { terms: [], shares: [], gains: [], gain: 0 };
  for (let at = 0; at < query.terms.length; at++) {
    const share = shares[at] as number;
    if (share === 0) continue;
    shares[at] = 0;
    const gain = share * (query.terms[at] as QueryTerm).worth;
    met.terms.push(at);
    met.shares.push(share);
    met.gains.push(gain);
    met.gain += gain;
  }
  return met;
}

/** The sum of what the ideas of `Tuning` add for the entry. Needs the marks. */
export function boostOf(
  entry: Entry,
  met: Met,
  query: Query,
  pairs: Set<number>,
  postings: Postings,
  tuning: Tuning,
): number {
  return (
    tuning.name * nameShare(entry, postings) +
    tuning.verb * leadingWord(entry) +
    tuning.phrase * phrases(entry, met, query, pairs, postings) +
    tuning.coverage * (met.gain / (query.worth || 1)) +
    tuning.server * serverShare(entry)
  );
}

/** A synonym in the name is nearly as good as the word: the root lifts it. */
function closeness(term: Term | undefined): number {
  return term === undefined || term.askedAs < 0 ? 0 : Math.sqrt(term.askedBy);
}

function nameShare(entry: Entry, postings: Postings): number {
  let met = 0;
  let all = 0;
  for (const term of entry.name) {
    const rarity = Math.log(1 + postings.size / term.size);
    all += rarity;
    met += closeness(term) * rarity;
  }
  return all === 0 ? 0 : met / all;
}

function leadingWord(entry: Entry): number {
  return Math.max(closeness(entry.name[0]), closeness(entry.description[0]));
}

/** Neighbours in the query, each pair as one number. */
export function pairsOf(query: Query): Set<number> {
  const pairs = new Set<number>();
  query.sequence.forEach((at, index) => {
    const before = query.sequence[index - 1];
    if (before !== undefined && before !== at) pairs.add(before * query.terms.length + at);
  });
  return pairs;
}

function phrases(entry: Entry, met: Met, query: Query, pairs: Set<number>, postings: Postings): number {
  if (met.terms.length < 2) return 0;
  const seen: number[] = [];
  let sum = 0;
  for (const terms of [entry.name, entry.description]) {
    let before = -1;
    for (const { askedAs } of terms) {
      const pair = before * query.terms.length + askedAs;
      if (before >= 0 && askedAs >= 0 && pairs.has(pair) && !seen.includes(pair)) {
        seen.push(pair);
        sum += (query.terms[before]?.worth ?? 0) + (query.terms[askedAs]?.worth ?? 0);
      }
      before = askedAs;
    }
  }
  return sum / Math.log(postings.size + 2);
}

function serverShare(entry: Entry): number {
  let met = 0;
  for (const term of entry.server) if (term.askedBy === 1) met++;
  return met / (entry.server.length || 1);
}
