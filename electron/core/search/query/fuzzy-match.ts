/** Fuzzy matching of query words that the index does not contain; words in the index are never corrected. */
import type { Postings, Term } from '../index/postings.ts';
import { characterSet } from '../lexicon/spellings.ts';
import { stemOf } from '../lexicon/words.ts';

/** An indexed term that matches a query word. `factor` is 1 for the word itself and less for synonyms and corrections. */
export interface TermMatch {
  term: Term;
  factor: number;
}

/** The two indexed words that make up an unknown one (`webpage` → web, page), or none. */
export function splitCompound(word: string, postings: Postings): Term[] {
  let best: Term[] = [];
  let bestSize = 0;
  for (let at = 3; at <= word.length - 3; at++) {
    const left = postings.term(stemOf(word.slice(0, at)));
    const right = left && postings.term(stemOf(word.slice(at)));
    if (!right) continue;
    // The split is more plausible if even the rarer part is common.
    const size = Math.min(left.size, right.size);
    if (size > bestSize) {
      best = [left, right];
      bestSize = size;
    }
  }
  return best;
}

/** Indexed terms within an edit distance of one, or two for long words. */
export function correctTypo(word: string, postings: Postings, factor: number): TermMatch[] {
  if (factor === 0 || !/^\p{L}{4,20}$/u.test(word)) return [];
  const stem = stemOf(word);
  const characters = characterSet(stem);
  const allowed = stem.length >= 8 ? 2 : 1;
  let nearest = allowed;
  let found: Term[] = [];
  for (let length = stem.length - allowed; length <= stem.length + allowed; length++) {
    // Assume that the first character is correct: it nearly always is, and this avoids most of the work.
    const { terms, characters: characterSets } = postings.alike(stem.charAt(0), length);
    for (let at = 0; at < terms.length; at++) {
      if (bitCount((characterSets[at] as number) ^ characters) > 2 * nearest) continue;
      const term = terms[at] as Term;
      const distance = editDistance(stem, term.text, nearest);
      if (distance > nearest) continue;
      if (distance < nearest) found = [];
      nearest = distance;
      found.push(term);
    }
  }
  // Among words with equal distance, the most common come first.
  found.sort((a, b) => b.size - a.size || (a.text < b.text ? -1 : 1));
  return found.slice(0, 3).map((term) => ({ term, factor: factor / Math.max(1, nearest) }));
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Damerau-Levenshtein distance; anything above `most` is returned as `most + 1`. */
function editDistance(a: string, b: string, most: number): number {
  const width = b.length + 1;
  const rows = new Uint8Array(width * (a.length + 1));
  for (let j = 0; j < width; j++) rows[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const row = i * width;
    let least = i;
    rows[row] = i;
    for (let j = 1; j < width; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(at(row - width + j) + 1, at(row + j - 1) + 1, at(row - width + j - 1) + (same ? 0 : 1));
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) {
        cost = Math.min(cost, at(row - 2 * width + j - 2) + 1);
      }
      rows[row + j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
  }
  return at(a.length * width + b.length);

  function at(index: number): number {
    return rows[index] as number;
  }
}
