/** Text edits: small replacements that leave all other bytes unchanged. */

export interface Edit {
  offset: number;
  length: number;
  text: string;
}

/** Applies `edits`, which must not overlap. */
export function applyEdits(text: string, edits: Edit[]): string {
  let result = text;
  for (const { offset, length, text: inserted } of edits.toSorted((a, b) => b.offset - a.offset)) {
    result = result.slice(0, offset) + inserted + result.slice(offset + length);
  }
  return result;
}

/** The first line ending in `text`; `\n` by default. */
export function eolOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The start of the line that contains `offset`. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1;
  return start;
}

/** The indentation of the line that contains `offset`. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** True if only white space precedes `offset` on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}
