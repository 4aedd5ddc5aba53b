/** Characters of servers' and agents' texts that could make a text read differently: every face shows them as escapes. */

/**
 * Control, bidirectional, zero-width, tag, filler and other invisible characters. A line break and a tab are harmless.
 * Built from ranges, so that this file holds none of them itself.
 */
const invisible = new RegExp(
  `[${[
    '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
    '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800',
    '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb',
    '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}',
  ].join('')}]`,
  'gu',
);

/** For faces that show nothing but text: `\u{202e}`. */
export function withEscapes(text: string): string {
  return text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** For a name among other lines, of which it must not make one more: `a\u{a}b`. */
export function nameWithEscapes(name: string): string {
  return withEscapes(name).replaceAll('\n', '\\u{a}');
}

/** Splits a text into plain parts and the code points that have to be shown as escapes. */
export function splitInvisible(text: string): (string | { code: string })[] {
  const parts: (string | { code: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(invisible)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const point = match[0].codePointAt(0) ?? 0;
    parts.push({ code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
