/** Tells in the text of a query what asks for a tool from what is only talk, or a value for the tool to work on. */
import { needsOf } from './needs.ts';
import { isTalk } from './talk.ts';
import { isStopWord, splitWords, stemOf, type Word } from './words.ts';

/** Bounds on a query: what lies beyond is not read, so that a pasted file costs no more than a question. */
const mostLetters = 1000;
const mostWords = 240;
/** A chunk longer than this between two blanks is a blob, an address or a path. */
const longestChunk = 48;

/** Most chunks of a query; they need no closer look. */
const plainWord = /^[A-Za-z][a-z]{0,39}[.,;:!?]?$/;

export interface QueryWord extends Word {
  /** 0: left out; 1: counts in full. */
  weight: number;
  /** Which of the things that the query asks for it belongs to: 0 for the first. */
  need: number;
}

/** What a kind of word counts of an ordinary one. */
export interface TextWeights {
  /** Words of asking and of degree ("specific", "looking", "currently"). */
  talk: number;
  /** Words in quotes, addresses, paths, identifiers: values for a tool, not its purpose. */
  value: number;
  number: number;
  /** A name in the middle of a sentence ("London"). */
  proper: number;
}

/** The words of a query in order, each with its weight. Stop words weigh nothing unless there is nothing else. */
export function readText(text: string, weights: TextWeights): QueryWord[] {
  const words: QueryWord[] = [];
  needsOf(text.slice(0, mostLetters)).forEach((piece, need) => {
    readNeed(piece.trim(), need, weights, words);
  });
  if (words.every((word) => word.weight === 0)) for (const word of words) word.weight = 1;
  return words.slice(0, mostWords);
}

function readNeed(text: string, need: number, weights: TextWeights, words: QueryWord[]): void {
  let closing = '';
  let sentenceStarts = true;
  for (const chunk of text.split(/\s+/)) {
    if (words.length >= mostWords) break;
    if (closing === '' && plainWord.test(chunk)) {
      words.push({ ...readPlain(chunk, sentenceStarts, weights), need });
      sentenceStarts = /[.!?:;]$/.test(chunk);
      continue;
    }
    if (closing === '' && closes[chunk.charAt(0)]) closing = closingOf(chunk, text);
    const hint = hintOf(chunk);
    for (const word of splitWords(hint, 3)) words.push({ raw: word, stem: stemOf(word), weight: 1, need });
    const value = closing !== '' || hint !== '' || chunk.length > longestChunk;
    const proper = !sentenceStarts && /^\p{Lu}\p{Ll}/u.test(chunk);
    // A few words of a value may name the thing; the rest of a long one is its content.
    for (const raw of splitWords(chunk.length > 200 ? chunk.slice(0, 200) : chunk, value ? 6 : 24)) {
      const stem = stemOf(raw);
      const weight = weightOf(raw, stem, proper, weights);
      words.push({ raw, stem, weight: value ? Math.min(weight, weights.value) : weight, need });
    }
    if (closing !== '' && chunk.includes(closing, 1)) closing = '';
    sentenceStarts = /[.!?:;]["')\]]?$/.test(chunk);
  }
}

/** A plain word, perhaps with a capital or a mark at its end. */
function readPlain(chunk: string, sentenceStarts: boolean, weights: TextWeights): Omit<QueryWord, 'need'> {
  const word = /[a-zA-Z]$/.test(chunk) ? chunk : chunk.slice(0, -1);
  const raw = word.toLowerCase();
  const stem = stemOf(raw);
  const proper = !sentenceStarts && word !== raw && word.length > 1;
  return { raw, stem, weight: weightOfPlain(raw, stem, proper, weights) };
}

const closes: Record<string, string> = { '"': '"', '“': '”', "'": "'", '«': '»', '「': '」' };

/** The mark that ends the quotation that the chunk begins; empty where it never ends or is the whole query. */
function closingOf(chunk: string, text: string): string {
  const mark = closes[chunk.charAt(0)] ?? '';
  const start = text.indexOf(chunk);
  const end = text.indexOf(mark, start + 1);
  return end < 0 || (start === 0 && end === text.length - 1) ? '' : mark;
}

/** What a value tells of the tool that takes it. */
function hintOf(chunk: string): string {
  if (/^\W?(?:https?:\/\/|www\.)/.test(chunk)) return 'url';
  if (chunk.length < 100 && /^[^@/]+@[^@/]+\.[^@/]+$/.test(chunk)) return 'email';
  if (/^\W?(?:~|\.{0,2})\/[^/]+\/|^\W?[A-Za-z]:\\/.test(chunk)) return 'file path';
  return '';
}

function weightOfPlain(word: string, stem: string, proper: boolean, weights: TextWeights): number {
  if (isStopWord(word)) return 0;
  if (isTalk(stem)) return weights.talk;
  return proper ? weights.proper : 1;
}

function weightOf(word: string, stem: string, proper: boolean, weights: TextWeights): number {
  if (/\d/.test(word)) {
    if (/^\d+$/.test(word)) return weights.number;
    return word.length > 5 && /\d.*\d/.test(word) ? weights.value : 1;
  }
  return weightOfPlain(word, stem, proper, weights);
}
