/** Finds characters that an agent reads but a user does not see. */

/** Zero-width characters, direction controls, fillers, tags, supplementary variation selectors, soft hyphens, control characters. */
const suspects = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e]',
    '[\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
    '\\u034f|[\\u{1d173}-\\u{1d17a}]|[\\u{e0000}-\\u{e01ef}]',
  ].join('|'),
  'u',
);

/** More than these are not counted. */
const maxFound = 1_000;

/** Characters of scripts that need joiners and direction marks. */
const joining =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Khmer}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Mongolian}]/u;
const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u20e3/u;

/**
 * Describes the hidden characters in `text`: their number, kinds, location, and the text that they spell. Joiners inside an emoji or in a
 * script that needs them, and the tags of a flag, are legitimate.
 */
export function findHidden(text: string): string | undefined {
  if (!suspects.test(text)) return undefined;
  const characters = [...text];
  const found: { code: number; at: number }[] = [];
  let flag = false;
  for (const [at, character] of characters.entries()) {
    if (found.length === maxFound) break;
    const code = character.codePointAt(0) as number;
    // 🏴 and the tags after it, up to the closing tag, form a flag.
    if (code === 0x1f3f4) flag = true;
    else if (flag && code >= 0xe0020 && code <= 0xe007f) flag = code !== 0xe007f;
    else {
      flag = false;
      if (suspects.test(character) && !isLegitimate(characters, at, code)) found.push({ code, at });
    }
  }
  const first = found[0];
  if (!first) return undefined;
  const names = [...new Set(found.map(({ code }) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`))];
  const before = characters
    .slice(Math.max(0, first.at - 30), first.at)
    .join('')
    .replace(/\s+/g, ' ');
  const spelt = spell(found.map(({ code }) => code));
  return `${found.length} hidden character${found.length === 1 ? '' : 's'} (${names.slice(0, 4).join(', ')}) after "${before}"${spelt}`;
}

function isLegitimate(characters: string[], at: number, code: number): boolean {
  const before = characters[at - 1] ?? '';
  const after = characters[at + 1] ?? '';
  if (code === 0x200d && pictograph.test(before) && pictograph.test(after)) return true;
  if (code === 0xfeff && at === 0) return true;
  const mark = code === 0x200c || code === 0x200d || code === 0x200e || code === 0x200f || code === 0x061c;
  return mark && (joining.test(before) || joining.test(after));
}

/** Tag characters spell ASCII that is not displayed. */
function spell(codes: number[]): string {
  const spelled = codes
    .filter((code) => code > 0xe0020 - 1 && code < 0xe007f)
    .map((code) => String.fromCharCode(code - 0xe0000));
  return spelled.length === 0 ? '' : `, which spell "${spelled.join('').slice(0, 120)}"`;
}

/** Replaces invisible characters with ⟨U+…⟩, to show `text` to the user. */
export function madeVisible(text: string): string {
  return [...text]
    .map((character) =>
      suspects.test(character)
        ? `⟨U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}⟩`
        : character,
    )
    .join('');
}
