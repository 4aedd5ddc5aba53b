/** Tokenization for the keyword index: splits, folds and stems words, in tools and queries alike. */
import { stemmer } from 'stemmer';

/** `stem` is compared; `raw` is used to correct typos. */
export interface Word {
  raw: string;
  stem: string;
}

/** Longer words are pasted data or long identifiers and are truncated. */
const maxWordLength = 40;

const marks = /\p{M}+/gu;
const pieces = /[\p{L}\p{N}]+/gu;
/** Matches most words: no camelCase, in a script with spaces. */
const plainPiece = /^[A-Z]?[a-z\d]{0,39}$/;
/** Scripts without spaces are cut into pairs of characters, which needs no dictionary and matches parts of words. */
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu;
const hasSpaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const camelCaseBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

const camelCaseWord = /(?<![\p{L}\p{N}])(?:\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*|\p{Lu}{2,}\p{Ll}{2,})(?![\p{L}\p{N}])/gu;

/**
 * Splits text into words: at camelCase boundaries, and at all characters that are not alphanumeric. Returns at most
 * `limit` words.
 */
export function splitWords(text: string, limit: number): string[] {
  // Fast path: most strings are one plain word.
  if (/^[a-z]{1,40}$/.test(text)) return [text];
  const words: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  const folded = /^[\x00-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(marks, '').normalize('NFC');
  pieces.lastIndex = 0;
  for (let match = pieces.exec(folded); match && words.length < limit; match = pieces.exec(folded)) {
    const [piece] = match;
    if (plainPiece.test(piece)) words.push(piece.toLowerCase());
    else if (hasSpaceless.test(piece)) splitSpaceless(piece, words);
    else splitCamelCase(piece, words);
  }
  return words.length > limit ? words.slice(0, limit) : words;
}

function splitCamelCase(piece: string, words: string[]): void {
  const cut = piece.length > maxWordLength ? piece.slice(0, maxWordLength) : piece;
  for (const part of cut.split(camelCaseBoundary)) words.push(part.toLowerCase());
}

function splitSpaceless(piece: string, words: string[]): void {
  let from = 0;
  for (const match of piece.matchAll(spaceless)) {
    if (match.index > from) splitCamelCase(piece.slice(from, match.index), words);
    from = match.index + match[0].length;
    const characters = [...match[0]];
    if (characters.length === 1) words.push(match[0]);
    for (let at = 0; at + 1 < characters.length; at++) words.push(`${characters[at]}${characters[at + 1]}`);
  }
  if (from < piece.length) splitCamelCase(piece.slice(from), words);
}

/** Whether a text may contain a camelCase word; much faster than searching for one. */
const mayHaveCamelCase = /[a-z][A-Z]|[A-Z]{2}[a-z]|[^\s -~]/;

/** Returns each camelCase word as one word: `GitHub` → github. */
export function joinedWords(text: string, limit: number): string[] {
  if (!mayHaveCamelCase.test(text)) return [];
  const words: string[] = [];
  for (const [word] of text.matchAll(camelCaseWord)) {
    if (words.length >= limit) break;
    if (word.length <= maxWordLength) words.push(word.toLowerCase());
  }
  return words;
}

/** Irregular plurals. */
const singulars = new Map(
  (
    'children:child men:man women:woman feet:foot teeth:tooth mice:mouse leaves:leaf lives:life shelves:shelf ' +
    'halves:half matrices:matrix vertices:vertex indices:index appendices:appendix axes:axis analyses:analysis ' +
    'crises:crisis theses:thesis hypotheses:hypothesis criteria:criterion phenomena:phenomenon media:medium ' +
    'quizzes:quiz buses:bus'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

const stems = new Map<string, string>();

/** Returns the Porter stem. Cached, because the same few thousand words occur again and again. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]{3,}$/.test(word) ? stemmer(singulars.get(word) ?? word) : word;
  // Limits the cache, so that hostile input cannot fill the memory.
  if (stems.size > 20_000) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** Function words that do not help to distinguish tools. */
const stopWords = new Set(
  (
    'a an the this that these those it its i me my we us our you your he she they them their there here ' +
    'is are was were be been being am do does did doing have has had having can could will would shall should may might must ' +
    'of in on at to for from by with about into onto over under between through during within without as than ' +
    'and or but not no nor so if then else when where which who whom whose what why how while because ' +
    'all any both each few more most other some such only own same too very just also please want need like let ' +
    'tell help know am using use used via'
  ).split(' '),
);

/** Whether the word is ignored in queries and, outside names, in tools. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
