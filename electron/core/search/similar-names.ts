/** Suggestions for a name that does not exist. */
import Fuse from 'fuse.js';
import { splitWords } from './lexicon/words.ts';

/** Names of tools are shorter. */
const maxName = 256;
/** Comparing so many characters of names takes about 20 ms. */
const maxCompared = 128 * 1024;

/**
 * The names most similar to `name`, best first; empty when nothing is similar. Compares words, whatever the naming
 * convention: `createIssue`, `create_issue` and `github-create-issue` are similar.
 */
export function similarNames(name: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = plain(name.slice(0, maxName));
  if (wanted === '') return [];
  const near: { name: string; plain: string; overlap: number }[] = [];
  const pairs = pairsOf(wanted);
  let compared = 0;
  for (const candidate of names) {
    const text = plain(candidate);
    compared += text.length;
    if (compared > maxCompared) break;
    const overlap = overlapOf(pairs, text);
    if (overlap > 0.2) near.push({ name: candidate, plain: text, overlap });
  }
  near.sort((a, b) => b.overlap - a.overlap);
  // fuse.js is accurate but slow, so it ranks only the names that share enough pairs of characters.
  const fuse = new Fuse(near.slice(0, 60), {
    keys: ['plain'],
    threshold: 0.5,
    ignoreLocation: true,
    includeScore: true,
  });
  const ranked = fuse
    .search(wanted.slice(0, 32))
    .map(({ item, score }) => ({ name: item.name, rank: item.overlap + 1 - (score ?? 1) }));
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .map((found) => found.name);
}

/** A sentence that suggests the most similar names; undefined if none is similar. */
export function didYouMean(name: string, names: Iterable<string>): string | undefined {
  const similar = similarNames(name, names);
  return similar.length > 0 ? `Did you mean ${similar.map((known) => `"${known}"`).join(' or ')}?` : undefined;
}

function plain(name: string): string {
  return splitWords(name.slice(0, 200), 16).join(' ');
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Dice's coefficient over pairs of characters. */
function overlapOf(pairs: Set<string>, text: string): number {
  const other = pairsOf(text);
  let shared = 0;
  for (const pair of other) if (pairs.has(pair)) shared++;
  return (2 * shared) / Math.max(1, pairs.size + other.size);
}
