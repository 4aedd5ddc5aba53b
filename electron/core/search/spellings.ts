/** How the terms of the index are spelt: which look alike, and how they begin. It spares most of the work of mending. */

/** Terms with the same first letter and length. */
export interface Alike<Term> {
  readonly terms: Term[];
  /**
   * The letters of each, one bit a letter: two words far apart in letters are far apart in spelling. Kept beside the terms,
   * so that the many that are far apart are not fetched from memory.
   */
  readonly letters: number[];
}

export interface Spellings<Term> {
  add(term: Term): void;
  remove(term: Term): void;
  alike(letter: string, length: number): Alike<Term>;
  /** Whether a term may begin with the first word and go on as the second begins; a no is to be relied on. */
  mayBegin(first: string, second: string): boolean;
}

/** Room for the beginnings of tens of thousands of terms; those with the same hash share a bit. */
const bits = 1 << 20;

export function createSpellings<Term extends { readonly text: string }>(): Spellings<Term> {
  const none: Alike<Term> = { terms: [], letters: [] };
  const byShape = new Map<string, Alike<Term>>();
  // A beginning stays when its last term goes: that costs a look at most.
  const beginnings = new Uint8Array(bits / 8);

  return {
    add(term) {
      const shape = shapeOf(term.text.charAt(0), term.text.length);
      const alike = byShape.get(shape) ?? { terms: [], letters: [] };
      byShape.set(shape, alike);
      alike.terms.push(term);
      alike.letters.push(lettersOf(term.text));
      let hash = 0;
      for (let at = 0; at < term.text.length; at++) {
        hash = hashed(hash, term.text, at);
        const bit = bitOf(hash);
        beginnings[bit >> 3] = (beginnings[bit >> 3] as number) | (1 << (bit & 7));
      }
    },

    remove(term) {
      const shape = shapeOf(term.text.charAt(0), term.text.length);
      const { terms, letters } = byShape.get(shape) ?? none;
      const at = terms.indexOf(term);
      if (at < 0) return;
      terms.splice(at, 1);
      letters.splice(at, 1);
      if (terms.length === 0) byShape.delete(shape);
    },

    alike: (letter, length) => byShape.get(shapeOf(letter, length)) ?? none,

    mayBegin(first, second) {
      // Stemming takes the s of a possessive away.
      if (second.length === 1) return true;
      let hash = 0;
      for (let at = 0; at < first.length; at++) hash = hashed(hash, first, at);
      hash = hashed(hash, second, 0);
      const bit = bitOf(hash);
      return ((beginnings[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
    },
  };
}

/** A bit for each letter that the word has; letters beyond a to z share bits. */
export function lettersOf(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at++) set |= 1 << (word.charCodeAt(at) & 31);
  return set;
}

function shapeOf(letter: string, length: number): string {
  return letter + length;
}

/** FNV-1a, a letter further. */
function hashed(hash: number, text: string, at: number): number {
  return Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
}

function bitOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (bits - 1);
}
