/** Weighs the words of a query: capability words count in full, filler words and argument values less. */
import { isFillerWord } from '../lexicon/filler-words.ts';
import { isStopWord, splitWords, stemOf, type Word } from '../lexicon/words.ts';
import type { TextWeights } from '../tuning.ts';

/** Limits on a query. The rest is ignored, so that a pasted file costs no more than a question. */
const maxCharacters = 1000;
const maxWords = 240;
/** A longer string without spaces is encoded data, a URL or a path. */
const maxChunkLength = 48;

/** Fast path: most strings between spaces are one plain word. */
const plainWord = /^[A-Za-z][a-z]{0,39}[.,;:!?]?$/;

export interface QueryWord extends Word {
  /** 0: ignored; 1: counts in full. */
  weight: number;
  /** Index of the intent that the word belongs to. */
  intent: number;
}

/** The words of a query in order with their weights. Stop words have weight 0 unless there are no other words. */
export function readText(text: string, weights: TextWeights): QueryWord[] {
  const words: QueryWord[] = [];
  splitIntents(text.slice(0, maxCharacters)).forEach((piece, intent) => {
    readIntent(piece.trim(), intent, weights, words);
  });
  if (words.every((word) => word.weight === 0)) for (const word of words) word.weight = 1;
  return words.slice(0, maxWords);
}

function readIntent(text: string, intent: number, weights: TextWeights, words: QueryWord[]): void {
  let closing = '';
  let sentenceStarts = true;
  for (const chunk of text.split(/\s+/)) {
    if (words.length >= maxWords) break;
    if (closing === '' && plainWord.test(chunk)) {
      words.push({ ...readPlain(chunk, sentenceStarts, weights), intent });
      sentenceStarts = /[.!?:;]$/.test(chunk);
      continue;
    }
    if (closing === '' && closes[chunk.charAt(0)]) closing = closingOf(chunk, text);
    const hint = hintOf(chunk);
    for (const word of splitWords(hint, 3)) words.push({ raw: word, stem: stemOf(word), weight: 1, intent });
    const value = closing !== '' || hint !== '' || chunk.length > maxChunkLength;
    const proper = !sentenceStarts && /^\p{Lu}\p{Ll}/u.test(chunk);
    // The first words of a value may name a tool; the rest is content.
    for (const raw of splitWords(chunk.length > 200 ? chunk.slice(0, 200) : chunk, value ? 6 : 24)) {
      const stem = stemOf(raw);
      const weight = weightOf(raw, stem, proper, weights);
      words.push({ raw, stem, weight: value ? Math.min(weight, weights.value) : weight, intent });
    }
    if (closing !== '' && chunk.includes(closing, 1)) closing = '';
    sentenceStarts = /[.!?:;]["')\]]?$/.test(chunk);
  }
}

/** A plain word, possibly capitalized or followed by a punctuation mark. */
function readPlain(chunk: string, sentenceStarts: boolean, weights: TextWeights): Omit<QueryWord, 'intent'> {
  const word = /[a-zA-Z]$/.test(chunk) ? chunk : chunk.slice(0, -1);
  const raw = word.toLowerCase();
  const stem = stemOf(raw);
  const proper = !sentenceStarts && word !== raw && word.length > 1;
  return { raw, stem, weight: weightOfPlain(raw, stem, proper, weights) };
}

const closes: Record<string, string> = { '"': '"', '“': '”', "'": "'", '«': '»', '「': '」' };

/** The mark that closes the quotation that starts with the chunk; empty when it is never closed or spans the query. */
function closingOf(chunk: string, text: string): string {
  const mark = closes[chunk.charAt(0)] ?? '';
  const start = text.indexOf(chunk);
  const end = text.indexOf(mark, start + 1);
  return end < 0 || (start === 0 && end === text.length - 1) ? '' : mark;
}

/** Words that describe the type of a value. A tool that accepts the value probably contains these words. */
function hintOf(chunk: string): string {
  if (/^\W?(?:https?:\/\/|www\.)/.test(chunk)) return 'url';
  if (chunk.length < 100 && /^[^@/]+@[^@/]+\.[^@/]+$/.test(chunk)) return 'email';
  if (/^\W?(?:~|\.{0,2})\/[^/]+\/|^\W?[A-Za-z]:\\/.test(chunk)) return 'file path';
  return '';
}

function weightOfPlain(word: string, stem: string, proper: boolean, weights: TextWeights): number {
  if (isStopWord(word)) return 0;
  if (isFillerWord(stem)) return weights.filler;
  return proper ? weights.proper : 1;
}

function weightOf(word: string, stem: string, proper: boolean, weights: TextWeights): number {
  if (/\d/.test(word)) {
    if (/^\d+$/.test(word)) return weights.number;
    return word.length > 5 && /\d.*\d/.test(word) ? weights.value : 1;
  }
  return weightOfPlain(word, stem, proper, weights);
}

/** Maximum number of intents. Any further intents stay part of the last one. */
const maxIntents = 6;
/** Minimum number of words in an intent. A shorter piece ("Also, please.") is not an intent. */
const minWords = 3;

/** Connectives that introduce the next intent at the beginning of a sentence or clause. */
const connectives =
  /\b(?:then|afterwards?|after (?:that|this)|(?<=[.!?]\s)after|subsequently|finally|lastly|additionally|also(?! (?:known|called|named))|furthermore|moreover|in addition|secondly|thirdly|(?:next|second|third|besides)(?=,))\b|(?<=[，。；！？])(?:然后|接着|最后|另外|此外)/giu;

/** Splits the text before each connective. Returns one element if there is no connective. */
function splitIntents(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(connectives)) {
    if (pieces.length === maxIntents - 1) break;
    const piece = text.slice(from, index);
    if (!startsClause(text, index) || !isIntent(piece)) continue;
    pieces.push(piece);
    from = index;
  }
  const last = text.slice(from);
  if (pieces.length > 0 && !isIntent(last)) return [...pieces.slice(0, -1), `${pieces.at(-1)}${last}`];
  return [...pieces, last];
}

/** Whether a clause can begin at `index`: after punctuation or "and", and outside quotation marks. */
function startsClause(text: string, index: number): boolean {
  let end = index;
  while (end > 0 && text[end - 1] !== '\n' && /\s/.test(text[end - 1] as string)) end -= 1;
  if (!/[.!?;,:)，。；！？\n]$|\band$/iu.test(text.slice(Math.max(0, end - 4), end))) return false;
  return text.slice(0, end).split('"').length % 2 === 1;
}

function isIntent(piece: string): boolean {
  return splitWords(piece, minWords).length === minWords;
}
