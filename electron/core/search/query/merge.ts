/** Merges the ranked lists for the intents of a query, so that the words of one intent do not outweigh another. */

export interface Ranked {
  key: string;
  relevance: number;
}

/**
 * Reciprocal rank fusion. `whole` is the list for the whole query, `intents` are the lists for its parts, each with
 * `intentWeight` relative to the whole. `boosts` is the search feedback for the whole query by tool key, 0 to 1.
 */
export function merge(
  whole: Ranked[],
  intents: Ranked[][],
  intentWeight: number,
  boosts: Map<string, number>,
): Ranked[] {
  const merged = new Map<string, Ranked & { score: number }>();
  const add = (list: Ranked[], weight: number) => {
    list.forEach(({ key, relevance }, at) => {
      const known = merged.get(key) ?? { key, relevance, score: 0 };
      known.relevance = Math.max(known.relevance, relevance);
      known.score += weight / (1 + at);
      merged.set(key, known);
    });
  };
  add(whole, 1);
  for (const list of intents) add(list, intentWeight);
  // Feedback for the exact query outranks a tool that is first in every list.
  for (const [key, boost] of boosts) {
    const known = merged.get(key);
    if (known) known.score += boost * (1 + intents.length * intentWeight);
  }
  const list = [...merged.values()].sort(
    (a, b) => tierOf(b) - tierOf(a) || b.score - a.score || (a.key < b.key ? -1 : 1),
  );
  // The order comes from the fused ranks; the relevances are those of the lists, in descending order.
  const relevances = list.map(({ relevance }) => relevance).sort((a, b) => b - a);
  return list.map(({ key }, at) => ({ key, relevance: relevances[at] as number }));
}

/** Exact names rank before all other tools, tools matched only by tags after them. */
function tierOf({ relevance }: Ranked): number {
  if (relevance === 1) return 2;
  return relevance >= 0.25 ? 1 : 0;
}
