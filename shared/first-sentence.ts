/** The first sentence of a description, for use in lists. */

/** Returns one line without the final period, of at most `length` characters. */
export function firstSentence(text: string, length = Number.POSITIVE_INFINITY): string {
  if (length === 0) return '';
  const line = text.replace(/\s+/g, ' ').trim();
  const sentence = line.match(/^.*?(?<!\b(?:e\.g|i\.e|vs|etc))[.!?。](?=\s|$)/u)?.[0] ?? line;
  return sentence.length <= length ? sentence.replace(/[.。]$/, '') : `${sentence.slice(0, length - 1).trimEnd()}…`;
}
