/** Finds what an unknown word may have meant. Only unknown words come here: a word that the index has is never doubted. */
import type { Postings, Term } from './postings.ts';
import { lettersOf } from './spellings.ts';
import { stemOf } from './words.ts';

/** A term of the index that stands for a word of the query, and how well (1: it is the word). */
export interface Standing {
  term: Term;
  factor: number;
}

/** The two known words that an unknown one is made of (`webpage` → web, page), or nothing. */
export function splitCompound(word: string, postings: Postings): Term[] {
  let best: Term[] = [];
  let bestSize = 0;
  for (let at = 3; at <= word.length - 3; at++) {
    const left = postings.term(stemOf(word.slice(0, at)));
    const right = left && postings.term(stemOf(word.slice(at)));
    if (!right) continue;
    // The parts are likely words where even the rarer one is common.
    const size = Math.min(left.size, right.size);
    if (size > bestSize) {
      best = [left, right];
      bestSize = size;
    }
  }
  return best;
}

/** Known terms within one slip of the pen, two in long words. */
export function mendTypo(word: string, postings: Postings, factor: number): Standing[] {
  if (factor === 0 || !/^\p{L}{4,20}$/u.test(word)) return [];
  const stem = stemOf(word);
  const letters = lettersOf(stem);
  const allowed = stem.length >= 8 ? 2 : 1;
  let nearest = allowed;
  let found: Term[] = [];
  for (let length = stem.length - allowed; length <= stem.length + allowed; length++) {
    // The first letter is taken as right: people seldom miss it, and it spares most of the work.
    const { terms, letters: lettersOfAll } = postings.alike(stem.charAt(0), length);
    for (let at = 0; at < terms.length; at++) {
      if (ones((lettersOfAll[at] as number) ^ letters) > 2 * nearest) continue;
      const term = terms[at] as Term;
      const distance = slips(stem, term.text, nearest);
      if (distance > nearest) continue;
      if (distance < nearest) found = [];
      nearest = distance;
      found.push(term);
    }
  }
  // Of several that are equally near, the words that most tools use.
  found.sort((a, b) => b.size - a.size || (a.text < b.text ? -1 : 1));
  return found.slice(0, 3).map((term) => ({ term, factor: factor / Math.max(1, nearest) }));
}

function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Letters to add, drop, change or swap with their neighbour; more than `most` is reported as `most + 1`. */
function slips(a: string, b: string, most: number): number {
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
