/** Counts keys, in a value and in its text: where the text has more, one stands there twice. */

export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum: number, one) => sum + countKeys(one), Array.isArray(value) ? 0 : inner.length);
}

/** `text` is valid JSON, in which a colon outside of texts stands behind a key and nowhere else. */
export function countWrittenKeys(text: string): number {
  let count = 0;
  for (let at = 0; ; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    for (; at < end; at++) if (text.charCodeAt(at) === 0x3a) count += 1;
    if (quote < 0) return count;
    at = endOfText(text, quote) + 1;
  }
}

/** Where the quote is that closes the one at `start`. */
function endOfText(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}
