/** Filters indexed terms by spelling, which avoids most of the work of typo correction and word joining. */

/** Terms with the same first character and length. */
interface Alike<Term> {
  readonly terms: Term[];
  /**
   * The characters of each term as a bit set: words with few characters in common have a large edit distance. This is a
   * parallel array, so that rejected terms are not fetched from memory.
   */
  readonly characters: number[];
}

/** Size of the Bloom filter of term prefixes, enough for tens of thousands of terms. */
const bits = 1 << 20;

export function createSpellings<Term extends { readonly text: string }>() {
  const none: Alike<Term> = { terms: [], characters: [] };
  const byShape = new Map<string, Alike<Term>>();
  // Prefixes of removed terms stay set: the cost is one failed lookup.
  const prefixes = new Uint8Array(bits / 8);

  return {
    add(term: Term): void {
      const shape = shapeOf(term.text.charAt(0), term.text.length);
      const alike = byShape.get(shape) ?? { terms: [], characters: [] };
      byShape.set(shape, alike);
      alike.terms.push(term);
      alike.characters.push(characterSet(term.text));
      let hash = 0;
      for (let at = 0; at < term.text.length; at++) {
        hash = hashed(hash, term.text, at);
        const bit = bitOf(hash);
        prefixes[bit >> 3] = (prefixes[bit >> 3] as number) | (1 << (bit & 7));
      }
    },

    remove(term: Term): void {
      const shape = shapeOf(term.text.charAt(0), term.text.length);
      const { terms, characters } = byShape.get(shape) ?? none;
      const at = terms.indexOf(term);
      if (at < 0) return;
      terms.splice(at, 1);
      characters.splice(at, 1);
      if (terms.length === 0) byShape.delete(shape);
    },

    alike: (character: string, length: number): Alike<Term> => byShape.get(shapeOf(character, length)) ?? none,

    /** Whether a term may begin with `first` and the first character of `second`. False is certain; true may be wrong. */
    mayBegin(first: string, second: string): boolean {
      // Stemming removes the s of a possessive.
      if (second.length === 1) return true;
      let hash = 0;
      for (let at = 0; at < first.length; at++) hash = hashed(hash, first, at);
      hash = hashed(hash, second, 0);
      const bit = bitOf(hash);
      return ((prefixes[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
    },
  };
}

/** One bit per character of the word; characters beyond a to z share bits. */
export function characterSet(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at++) set |= 1 << (word.charCodeAt(at) & 31);
  return set;
}

function shapeOf(character: string, length: number): string {
  return character + length;
}

/** FNV-1a, extended by one character. */
function hashed(hash: number, text: string, at: number): number {
  return Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
}

function bitOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (bits - 1);
}
