/** Splits a query with several intents ("…. Then …. Finally, …") into one string per intent. */
import { splitWords } from '../lexicon/words.ts';

/** Maximum number of intents. Any further intents stay part of the last one. */
const maxIntents = 6;
/** Minimum number of words in an intent. A shorter piece ("Also, please.") is not an intent. */
const minWords = 3;

/** Connectives that introduce the next intent at the beginning of a sentence or clause. */
const connectives =
  /\b(?:then|afterwards?|after (?:that|this)|(?<=[.!?]\s)after|subsequently|finally|lastly|additionally|also(?! (?:known|called|named))|furthermore|moreover|in addition|secondly|thirdly|(?:next|second|third|besides)(?=,))\b|(?<=[，。；！？])(?:然后|接着|最后|另外|此外)/giu;

/** Splits the text before each connective. Returns one element if there is no connective. */
export function splitIntents(text: string): string[] {
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
