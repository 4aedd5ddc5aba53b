/** Compares the recorded hash of a package with its current hash. */

/**
 * npm may list several hashes of one file, and accepts content that matches any of the strongest, so each of these must have
 * been recorded.
 */
export function isSameContent(recorded: string, found: string): boolean {
  const now = new Set(found.split(/\s+/));
  const old = new Set(recorded.split(/\s+/));
  const strong = [...now].filter((hash) => hash.startsWith('sha512-'));
  return strong.length > 0 ? strong.every((hash) => old.has(hash)) : old.isSubsetOf(now);
}
