/** Finds what an unknown word may have meant. Only unknown words come here: a word that the index has is never doubted. */
import type { Postings, Term } from './postings.ts';
import { stemOf } from './words.ts';

/** The two known words that an unknown one is made of (`webpage` → web, page), or nothing. */
export function splitCompound(word: string, postings: Postings): Term[] {
  let best: Term[] = [];
  let bestSize = 0;
  for (let at = 3; at <= word.length - 3; at++) {
    const left = postings.term(stemOf(word.slice(0, at)));
    const right = postings.term(stemOf(word.slice(at)));
    if (!left || !right) continue;
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
export function mendTypo(word: string, postings: Postings, factor: number): { term: Term; factor: number }[] {
  if (!/^\p{L}{4,20}$/u.test(word) || factor === 0) return [];
  const stem = stemOf(word);
  const allowed = stem.length >= 8 ? 2 : 1;
  let nearest = allowed + 1;
  let found: Term[] = [];
  for (let length = stem.length - allowed; length <= stem.length + allowed; length++) {
    // The first letter is taken as right: people seldom miss it, and it spares most of the work.
    for (const term of postings.alike(stem.charAt(0), length)) {
      const distance = slips(stem, term.text, Math.min(allowed, nearest));
      if (distance > allowed || distance > nearest) continue;
      if (distance < nearest) found = [];
      nearest = distance;
      found.push(term);
    }
  }
  // Ties: the words that most tools use.
  found.sort((a, b) => b.size - a.size || (a.text < b.text ? -1 : 1));
  return found.slice(0, 3).map((term) => ({ term, factor: factor / nearest }));
}

/** Letters to add, drop, change or swap with their neighbour; more than `most` is reported as `most + 1`. */
function slips(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? most + 1;
}
