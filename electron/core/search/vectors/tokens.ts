/** Splits a string into the words that the built-in model has vectors for. Training and search must split alike. */
import { isStopWord, joinedWords, splitWords } from '../lexicon/words.ts';

/** Lower-case words without stop words and bare numbers, at most `limit`; `GitHub` gives git, hub and github. */
export function wordsOf(text: string, limit: number): string[] {
  const words = splitWords(text, limit).filter((word) => !isStopWord(word) && !/^\d+$/.test(word));
  return words.concat(joinedWords(text, limit));
}
