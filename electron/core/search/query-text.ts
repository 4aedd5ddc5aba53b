/** Tells in the text of a query what asks for a tool from what is only talk, or a value for the tool to work on. */

import { isTalk } from './talk.ts';
import { isStopWord, splitWords, stemOf, type Word } from './words.ts';

/** Bounds on a query: what lies beyond is not read, so that a pasted file costs no more than a question. */
const mostLetters = 4000;
const mostWords = 320;

export interface QueryWord extends Word {
  /** 0: left out; 1: counts in full. */
  weight: number;
}

export interface TextWeights {
  /** Words of asking and of degree ("specific", "looking", "currently"). */
  talk: number;
  /** Words in quotes, addresses, paths, identifiers: values for a tool, not its purpose. */
  value: number;
  number: number;
  /** A name in the middle of a sentence ("London"). */
  proper: number;
}

/**
 * What a value tells of the tool that takes it. The value's own words stay, with little weight.
 */
const values: { pattern: RegExp; hint: string }[] = [
  { pattern: /\b(?:https?|ftp):\/\/[^\s"'<>]+|\bwww\.[^\s"'<>]+/g, hint: 'url' },
  { pattern: /[\w.+-]+@[\w-]+\.[\w.-]+/g, hint: 'email' },
  { pattern: /(?<![\w/])(?:~|\.{1,2})?(?:\/[\w.@-]+){2,}\/?|\b[A-Za-z]:\\[^\s"'<>]+/g, hint: 'file path' },
  { pattern: /"[^"\n]{1,200}"|“[^”\n]{1,200}”|(?<![\p{L}\p{N}])'[^'\n]{2,100}'(?![\p{L}\p{N}])/gu, hint: '' },
];

/** The words of a query in order, each with its weight. Stop words weigh nothing unless there is nothing else. */
export function readText(text: string, weights: TextWeights): QueryWord[] {
  const bounded = text.slice(0, mostLetters);
  const words: QueryWord[] = [];
  let from = 0;
  for (const { start, end, hint } of valuesIn(bounded)) {
    if (start < from) continue;
    addPlain(bounded.slice(from, start), words, weights);
    if (words.length >= mostWords) break;
    for (const word of splitWords(hint, 4)) words.push({ raw: word, stem: stemOf(word), weight: 1 });
    // A few words of a value may name the thing; the rest of a long one is its content.
    for (const word of splitWords(bounded.slice(start, end), 8)) {
      words.push({ raw: word, stem: stemOf(word), weight: isStopWord(word) ? 0 : weights.value });
    }
    from = end;
  }
  addPlain(bounded.slice(from), words, weights);
  if (words.every((word) => word.weight === 0)) for (const word of words) word.weight = 1;
  return words.length > mostWords ? words.slice(0, mostWords) : words;
}

function valuesIn(text: string): { start: number; end: number; hint: string }[] {
  const found: { start: number; end: number; hint: string }[] = [];
  for (const { pattern, hint } of values) {
    for (const match of text.matchAll(pattern)) {
      // A query that is one quoted phrase means the phrase.
      if (match[0].length < text.trim().length)
        found.push({ start: match.index, end: match.index + match[0].length, hint });
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

function addPlain(text: string, words: QueryWord[], weights: TextWeights): void {
  for (const chunk of text.matchAll(/[^\s]+/g)) {
    if (words.length >= mostWords) return;
    const start = /(?:^|[.!?:;]\s*)$/.test(text.slice(Math.max(0, chunk.index - 2), chunk.index).trimEnd()) && true;
    const proper = !start && chunk.index > 0 && /^\p{Lu}\p{Ll}/u.test(chunk[0]);
    for (const raw of splitWords(chunk[0], 12)) {
      words.push({ raw, stem: stemOf(raw), weight: weightOf(raw, proper, weights) });
    }
  }
}

function weightOf(word: string, proper: boolean, weights: TextWeights): number {
  if (isStopWord(word)) return 0;
  if (/\d/.test(word))
    return /^\d+$/.test(word) ? weights.number : /\d.*\d/.test(word) && word.length > 5 ? weights.value : 1;
  if (isTalk(word)) return weights.talk;
  return proper ? weights.proper : 1;
}
