/** A line diff of two strings. */

export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

/** Larger changes are shown as one block, because comparing them would be too slow. */
const maxCompared = 1500;

/** The shortest diff from `before` to `after`. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): DiffLine => ({ sign: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...compared(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Longest common subsequence by dynamic programming. */
function compared(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ sign: '-', text });
  const added = (text: string): DiffLine => ({ sign: '+', text });
  if (before.length > maxCompared || after.length > maxCompared) return [...before.map(removed), ...after.map(added)];
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      lines.push({ sign: ' ', text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(old));
      row += 1;
    } else if (fresh !== undefined) {
      lines.push(added(fresh));
      column += 1;
    }
  }
  return lines;
}
