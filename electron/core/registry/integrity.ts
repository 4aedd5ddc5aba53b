/** Compares the recorded hash of a package with the one that it has now. */

/**
 * npm may name several hashes of one file, of which the strongest counts. A package of PyPI may get further files later,
 * but must keep the recorded ones.
 */
export function isSameContent(recorded: string, found: string): boolean {
  const now = new Set(found.split(/\s+/));
  const old = recorded.split(/\s+/);
  return old.some((hash) => hash.startsWith('sha512-') && now.has(hash)) || old.every((hash) => now.has(hash));
}
