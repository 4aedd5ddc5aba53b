/** Cuts a question that asks for several things in turn ("…. Then …. Finally, …") into what it asks for. */
import { splitWords } from './words.ts';

/** What more is asked for is looked for together with the last of these. */
const mostNeeds = 6;
/** With fewer words than this, a piece is no need of its own ("Also, please."). */
const leastWords = 3;

/** Words that turn from one thing to the next, where a sentence or a clause begins with them. */
const turns =
  /\b(?:then|afterwards?|after (?:that|this)|(?<=[.!?]\s)after|subsequently|finally|lastly|additionally|also(?! (?:known|called|named))|furthermore|moreover|in addition|secondly|thirdly|(?:next|second|third|besides)(?=,))\b|(?<=[，。；！？])(?:然后|接着|最后|另外|此外)/giu;

/** The text, cut before each word that turns to another thing; in one piece where none does. */
export function needsOf(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(turns)) {
    if (pieces.length === mostNeeds - 1) break;
    const piece = text.slice(from, index);
    if (!turnsAt(text, index) || !isNeed(piece)) continue;
    pieces.push(piece);
    from = index;
  }
  const last = text.slice(from);
  if (pieces.length > 0 && !isNeed(last)) return [...pieces.slice(0, -1), `${pieces.at(-1)}${last}`];
  return [...pieces, last];
}

/** Whether a clause may begin there: not in the midst of one, nor within a quotation. */
function turnsAt(text: string, index: number): boolean {
  let end = index;
  while (end > 0 && text[end - 1] !== '\n' && /\s/.test(text[end - 1] as string)) end -= 1;
  if (!/[.!?;,:)，。；！？\n]$|\band$/iu.test(text.slice(Math.max(0, end - 4), end))) return false;
  return text.slice(0, end).split('"').length % 2 === 1;
}

function isNeed(piece: string): boolean {
  return splitWords(piece, leastWords).length === leastWords;
}
