/** Decides who gives way if a shared limit is reached. */

interface Entry {
  owner: string;
  /** 1 by default. */
  size?: number;
}

/** The owner of most, so that one client cannot displace another's entries. If several own as much, that of `newest`. */
export function largestOwner(entries: Iterable<Entry>, newest: Entry): string {
  const sizes = new Map([[newest.owner, newest.size ?? 1]]);
  for (const { owner, size = 1 } of entries) sizes.set(owner, (sizes.get(owner) ?? 0) + size);
  return Array.from(sizes).reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
