/** Orders the best so that the list serves the whole query: tools that repeat those above them step back. */
import type { Query } from './query.ts';
import type { Candidate } from './scoring.ts';
import type { Met } from './second-look.ts';
import type { Tuning } from './tuning.ts';

export interface Seen extends Candidate {
  met: Met;
}

/** How much of a word is used up by one tool that meets it. */
const usedUp = 0.5;
/** What a later place in the pool cannot win back is not looked at. */
const poolSize = 64;

/** The first `limit` in their new order: repeatedly the one that adds most to those already taken. */
export function spread(candidates: Seen[], query: Query, limit: number, tuning: Tuning): Seen[] {
  const pool = candidates.slice(0, poolSize);
  const used = new Float32Array(query.terms.length);
  const names = new Set<string>();
  const taken: Seen[] = [];
  while (taken.length < limit && pool.length > 0) {
    let bestAt = 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < pool.length; at++) {
      const candidate = pool[at] as Seen;
      // The penalties only take away, and the pool is sorted: nothing further down can win any more.
      if (candidate.score <= best) break;
      const repeated = names.has(candidate.entry.plainName) ? tuning.sameName : 0;
      const value = candidate.score * (1 - tuning.spread * staleness(candidate.met, used)) * (1 - repeated);
      if (value > best) {
        best = value;
        bestAt = at;
      }
    }
    const [next] = pool.splice(bestAt, 1);
    if (next === undefined) break;
    taken.push(next);
    names.add(next.entry.plainName);
    next.met.terms.forEach((term, at) => {
      const share = next.met.shares[at] as number;
      used[term] = (used[term] as number) + share * usedUp * (1 - (used[term] as number));
    });
  }
  return [...taken, ...candidates.slice(poolSize, poolSize + limit - taken.length)];
}

/** The share of what the tool meets that tools above it have met. */
function staleness({ terms, gains, gain }: Met, used: Float32Array): number {
  let stale = 0;
  for (let at = 0; at < terms.length; at++) stale += (gains[at] as number) * (used[terms[at] as number] as number);
  return gain === 0 ? 0 : stale / gain;
}
