/** Filters by words: all words must occur, in any order and case. */

/** The words that the user typed, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** `haystack` is in lower case. Without words, everything matches. */
export const hasWords = (haystack: string, words: readonly string[]): boolean =>
  words.every((word) => haystack.includes(word));

/** Longer lists of choices have a filter. */
export const maxUnfiltered = 8;
