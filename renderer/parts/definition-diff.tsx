/** What changed in a tool's definition, line by line. */
import { VisibleText } from './server-text.tsx';

export type DiffLine = { sign: ' ' | '-' | '+'; text: string };

/** Lines beyond this are compared as one block, so that a huge definition cannot stall the page. */
const maxLines = 1500;

export function DefinitionDiff({ before, after }: { before: Record<string, unknown>; after: Record<string, unknown> }) {
  const both = { ...after, ...before };
  const lines = nearChanges(diffLines(linesOf(before, both), linesOf(after, both)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that may scroll has to be reachable by keyboard
    <section className="diff" tabIndex={0} aria-label="Difference">
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
          key={index}
          className={
            line === 'gap'
              ? 'diff-gap'
              : `diff-line diff-${line.sign === '+' ? 'new' : line.sign === '-' ? 'old' : 'same'}`
          }
        >
          {line === 'gap' ? (
            '⋯'
          ) : (
            <>
              <span className="diff-sign">{line.sign}</span>
              <VisibleText text={line.text} />
            </>
          )}
        </span>
      ))}
    </section>
  );
}

/** The fields of `shape` in its order, so that both sides line up. */
function linesOf(definition: Record<string, unknown>, shape: Record<string, unknown>): string[] {
  return Object.keys(shape).flatMap((key) => {
    const value = definition[key];
    const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'absent');
    return [`${key}:`, ...text.split('\n').map((line) => `  ${line}`)];
  });
}

/** The shortest edit script by the longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length > maxLines || after.length > maxLines)
    return [
      ...before.map((text): DiffLine => ({ sign: '-', text })),
      ...after.map((text): DiffLine => ({ sign: '+', text })),
    ];
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
      lines.push({ sign: '-', text: old });
      row += 1;
    } else if (fresh !== undefined) {
      lines.push({ sign: '+', text: fresh });
      column += 1;
    }
  }
  return lines;
}

/** Leaves out what is far from any change. */
function nearChanges(lines: readonly DiffLine[]): (DiffLine | 'gap')[] {
  const reach = 3;
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - reach), index + reach + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, index): (DiffLine | 'gap')[] => {
    if (near[index]) return [line];
    return near[index - 1] || index === 0 ? ['gap'] : [];
  });
}
