/** Turns text into the words that the index knows: split, folded, stemmed. The same way for tools and for queries. */
import { stemmer } from 'stemmer';

/** One word of a text. `stem` is what is compared; `raw` is what typo repair works on. */
export interface Word {
  raw: string;
  stem: string;
}

/** A longer word is a pasted blob or an identifier that nobody will type; only its beginning counts. */
const longestWord = 40;

const marks = /\p{M}+/gu;
const pieces = /[\p{L}\p{N}]+/gu;
/** Most pieces: they have no humps and are in a script with spaces. */
const plainPiece = /^[A-Z]?[a-z\d]{0,39}$/;
/** Scripts written without spaces: cut into pairs of characters, which needs no dictionary and matches parts of words. */
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu;
const hasSpaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

const humped = /(?<![\p{L}\p{N}])(?:\p{L}*\p{Ll}\p{Lu}[\p{L}\p{N}]*|\p{Lu}{2,}\p{Ll}{2,})(?![\p{L}\p{N}])/gu;

/** Splits at everything that is neither letter nor digit and at the humps of camelCase; at most `limit` words. */
export function splitWords(text: string, limit: number): string[] {
  // Most chunks of a query are one plain word.
  if (/^[a-z]{1,40}$/.test(text)) return [text];
  const words: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  const folded = /^[\x00-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(marks, '').normalize('NFC');
  pieces.lastIndex = 0;
  for (let match = pieces.exec(folded); match && words.length < limit; match = pieces.exec(folded)) {
    const [piece] = match;
    if (plainPiece.test(piece)) words.push(piece.toLowerCase());
    else if (hasSpaceless.test(piece)) splitSpaceless(piece, words);
    else splitHumps(piece, words);
  }
  return words.length > limit ? words.slice(0, limit) : words;
}

function splitHumps(piece: string, words: string[]): void {
  const cut = piece.length > longestWord ? piece.slice(0, longestWord) : piece;
  for (const part of cut.split(humps)) words.push(part.toLowerCase());
}

function splitSpaceless(piece: string, words: string[]): void {
  let from = 0;
  for (const match of piece.matchAll(spaceless)) {
    if (match.index > from) splitHumps(piece.slice(from, match.index), words);
    from = match.index + match[0].length;
    const letters = [...match[0]];
    if (letters.length === 1) words.push(match[0]);
    for (let at = 0; at + 1 < letters.length; at++) words.push(`${letters[at]}${letters[at + 1]}`);
  }
  if (from < piece.length) splitHumps(piece.slice(from), words);
}

/** The words that have humps, whole: `GitHub` → github. */
export function joinedWords(text: string, limit: number): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(humped)) {
    if (words.length >= limit) break;
    if (word.length <= longestWord) words.push(word.toLowerCase());
  }
  return words;
}

/** Plurals that no rule makes. */
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

/** Porter's stem; remembered, since the same few thousand words come again and again. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]{3,}$/.test(word) ? stemmer(singulars.get(word) ?? word) : word;
  // A bound on what is remembered, so that hostile texts cannot fill the memory.
  if (stems.size > 20_000) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** Words that say nothing about what a tool does. */
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

/** Whether a word carries no meaning of its own. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}
