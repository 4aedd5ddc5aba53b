/** Decides who gives way if a shared limit is reached. */

/** The owner of most entries, so that one client cannot displace another's. If several have as many, `newcomer`. */
export function largestOwner(owners: Iterable<string>, newcomer: string): string {
  const counts = new Map([[newcomer, 1]]);
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return Array.from(counts).reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
