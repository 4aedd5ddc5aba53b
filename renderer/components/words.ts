/** Filters by words: all words must occur, in any order and case. */

/** The words that the user typed, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The parts of a list that the user typed. */
export const partsOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** `haystack` is in lower case. Without words, everything matches. */
export const hasWords = (haystack: string, words: readonly string[]): boolean =>
  words.every((word) => haystack.includes(word));

/** Longer lists of choices have a filter. */
export const maxUnfiltered = 8;
