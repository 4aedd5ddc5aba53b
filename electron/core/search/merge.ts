/** Makes one list of those for the several things that a question asks for, so that the words of one drown no other. */

export interface Ranked {
  key: string;
  relevance: number;
}

/**
 * `worth`: what a place in the list for a need counts beside one in the list for the whole. `taught`: how much each tool was
 * taught for the whole question, above 0 and at most 1.
 */
export function merge(whole: Ranked[], needs: Ranked[][], worth: number, taught: Map<string, number>): Ranked[] {
  const merged = new Map<string, Ranked & { standing: number }>();
  const add = (list: Ranked[], counts: number) => {
    list.forEach(({ key, relevance }, at) => {
      const known = merged.get(key) ?? { key, relevance, standing: 0 };
      known.relevance = Math.max(known.relevance, relevance);
      known.standing += counts / (1 + at);
      merged.set(key, known);
    });
  };
  add(whole, 1);
  for (const list of needs) add(list, worth);
  // What was taught for these very words comes before what all of the lists have first.
  for (const [key, likeness] of taught) {
    const known = merged.get(key);
    if (known) known.standing += likeness * (1 + needs.length * worth);
  }
  const list = [...merged.values()].sort(
    (a, b) => kindOf(b) - kindOf(a) || b.standing - a.standing || (a.key < b.key ? -1 : 1),
  );
  // How relevant the best are is known; which of them comes first is a matter of their places.
  const relevances = list.map(({ relevance }) => relevance).sort((a, b) => b - a);
  return list.map(({ key }, at) => ({ key, relevance: relevances[at] as number }));
}

/** Exact names stand before all others, and tools that only their tags speak for behind. */
function kindOf({ relevance }: Ranked): number {
  if (relevance === 1) return 2;
  return relevance >= 0.25 ? 1 : 0;
}
