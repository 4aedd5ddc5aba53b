/**
 * Maximal marginal relevance (MMR): tools that only repeat what higher-ranked tools match are ranked lower, and so are
 * further tools of one server, so that a server with many plain names does not fill the list.
 */
import type { Candidate } from '../index/scoring.ts';
import type { Tuning } from '../tuning.ts';
import type { Query } from './query.ts';
import type { FieldMatch } from './rerank.ts';

export interface Reranked extends Candidate {
  match: FieldMatch;
}

/** The share of a query term that one matching tool covers. */
const coveragePerTool = 0.5;
/** Later candidates cannot move up far enough to matter. */
const poolSize = 64;
/** The tools of one server that get no penalty. */
const perServer = 2;

/** The first `limit` candidates in MMR order. Each next candidate is the one that adds the most to those before it. */
export function diversify(candidates: Reranked[], query: Query, limit: number, tuning: Tuning): Reranked[] {
  const pool = candidates.slice(0, poolSize);
  const coverage = new Float32Array(query.terms.length);
  const names = new Set<string>();
  const servers = new Map<string, number>();
  const taken: Reranked[] = [];
  while (taken.length < limit && pool.length > 0) {
    let bestAt = 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < pool.length; at++) {
      const candidate = pool[at] as Reranked;
      // Penalties only lower scores and the pool is sorted, so no later candidate can win.
      if (candidate.score <= best) break;
      const repeated = names.has(candidate.entry.plainName) ? tuning.sameName : 0;
      const crowded = (servers.get(serverOf(candidate)) ?? 0) >= perServer ? tuning.sameServer : 0;
      const redundant = tuning.diversity * redundancy(candidate.match, coverage);
      const value = candidate.score * (1 - redundant) * (1 - repeated) * (1 - crowded);
      if (value > best) {
        best = value;
        bestAt = at;
      }
    }
    const [next] = pool.splice(bestAt, 1);
    if (next === undefined) break;
    taken.push(next);
    names.add(next.entry.plainName);
    servers.set(serverOf(next), (servers.get(serverOf(next)) ?? 0) + 1);
    for (const [at, term] of next.match.terms.entries()) {
      const share = next.match.shares[at] as number;
      coverage[term] = (coverage[term] as number) + share * coveragePerTool * (1 - (coverage[term] as number));
    }
  }
  return [...taken, ...candidates.slice(poolSize, poolSize + limit - taken.length)];
}

/** The words of the server's name. */
const serverOf = ({ entry: { plainPath, plainName } }: Reranked) => plainPath.slice(0, -plainName.length);

/** The share of the tool's match that higher-ranked tools already cover. */
function redundancy({ terms, gains, gain }: FieldMatch, coverage: Float32Array): number {
  let covered = 0;
  for (let at = 0; at < terms.length; at++)
    covered += (gains[at] as number) * (coverage[terms[at] as number] as number);
  return gain === 0 ? 0 : covered / gain;
}
