/** Compares the recorded hash of a package with the one that it has now. */

/**
 * npm may name several hashes of one file, and accepts content that has any of the strongest: each must be a recorded one.
 * A package of PyPI may get further files later, but must keep the recorded ones.
 */
export function isSameContent(recorded: string, found: string): boolean {
  const now = new Set(found.split(/\s+/));
  const old = new Set(recorded.split(/\s+/));
  const strong = [...now].filter((hash) => hash.startsWith('sha512-'));
  return strong.length > 0 ? strong.every((hash) => old.has(hash)) : old.isSubsetOf(now);
}
