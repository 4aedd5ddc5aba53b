/** Shows the invisible and bidirectional characters in text from servers and agents, which could mislead the user. */

/**
 * Control, bidirectional, zero-width, tag, filler and other invisible characters. Line breaks and tabs are harmless.
 * Built from ranges, so that this file contains none of them.
 */
const invisible = new RegExp(
  `[${[
    '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
    '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800',
    '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb',
    '\\u{13430}-\\u{1345f}\\u{16fe4}\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}',
  ].join('')}]`,
  'gu',
);

/** A zero-width joiner between two pictographs makes one picture of them, for example a family. */
const joinsPictographs = (text: string, index: number): boolean =>
  text.charAt(index) === '\u200d' &&
  /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(text.slice(Math.max(0, index - 6), index)) &&
  /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3));

/** The selector of the colored form after a pictograph, or between a digit and a keycap: ❤️, 1️⃣. Elsewhere, it is only invisible. */
const selectsPictograph = (text: string, index: number): boolean =>
  text.charAt(index) === '\ufe0f' &&
  (text.charAt(index + 1) === '\u20e3' ||
    /\p{Extended_Pictographic}$/u.test(text.slice(Math.max(0, index - 2), index)));

/** Replaces invisible characters with escapes such as `\u{202e}`, for plain-text UIs. */
export function withEscapes(text: string): string {
  return text.replace(invisible, (character, index: number) =>
    selectsPictograph(text, index) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Replaces invisible characters in JSON with its own escapes, so that the value stays the same. */
export function withJsonEscapes(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(invisible, (character) => character.split('').map(escaped).join(''));
}

/** Like `withEscapes`, but also escapes line breaks, as in `a\u{a}b`. For names in line-oriented text. */
export function nameWithEscapes(name: string): string {
  return withEscapes(name).replaceAll('\n', '\\u{a}');
}

/**
 * Matches more blanks or line breaks than any text needs, because they could hide the text that follows, and more marks on one
 * character than any language has, because they could cover other lines.
 */
const blankRun = /[^\S\n]{40,}|(?:[^\S\n]*\n){10,}|[\p{Mn}\p{Me}]{8,}/gu;

/** Replaces long runs of blanks and marks with `⟨1700 spaces⟩`, so that they cannot move text out of sight in plain-text UIs. */
export function withShortBlanks(text: string): string {
  return text.replace(blankRun, (run) => ` ⟨${describeBlanks(run)}⟩ `);
}

function describeBlanks(run: string): string {
  if (/^\p{M}/u.test(run)) return `${[...run].length} marks`;
  const breaks = run.split('\n').length - 1;
  return breaks > 0 ? `${breaks} line breaks` : `${run.length} spaces`;
}

const toShow = new RegExp(`${blankRun.source}|${invisible.source}`, 'gu');

/** Splits a string into plain parts, the code points to show as escapes, and long runs of blanks to show as their length. */
export function splitInvisible(text: string): (string | { code: string })[] {
  const parts: (string | { code: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(toShow)) {
    if (joinsPictographs(text, match.index) || selectsPictograph(text, match.index)) continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ code: codeOf(match[0]) });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function codeOf(found: string): string {
  if (found.length > 2) return `⟨${describeBlanks(found)}⟩`;
  const point = found.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
