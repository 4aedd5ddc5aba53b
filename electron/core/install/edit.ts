/** Edits of a text: small replacements that leave every other byte as it is. */

export interface Edit {
  offset: number;
  length: number;
  text: string;
}

/** `text` with all `edits` made; they must not overlap. */
export function applyEdits(text: string, edits: Edit[]): string {
  let result = text;
  for (const { offset, length, text: inserted } of edits.toSorted((a, b) => b.offset - a.offset)) {
    result = result.slice(0, offset) + inserted + result.slice(offset + length);
  }
  return result;
}

/** The line ending that `text` uses first; `\n` when it has none. */
export function eolOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** Where the line that holds `offset` begins. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}

/** The blanks at the beginning of the line that holds `offset`. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** True when only blanks stand before `offset` on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}
