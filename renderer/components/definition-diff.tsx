/** A line diff of two versions of a tool definition. */
import { type DiffLine, diffLines } from '../../shared/diff.ts';
import { t } from '../text.tsx';
import { DiffView } from './diff-view.tsx';

export function DefinitionDiff({ before, after }: { before: Record<string, unknown>; after: Record<string, unknown> }) {
  const both = { ...after, ...before };
  const lines = nearChanges(diffLines(linesOf(before, both), linesOf(after, both)));
  return <DiffView lines={lines} label={t('Difference')} />;
}

/** The fields in the order of `shape`, so that both sides align. */
function linesOf(definition: Record<string, unknown>, shape: Record<string, unknown>): string[] {
  return Object.keys(shape).flatMap((key) => {
    const value = definition[key];
    const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'absent');
    return [`${key}:`, ...text.split('\n').map((line) => `  ${line}`)];
  });
}

/** Drops lines that are far from any change. */
function nearChanges(lines: readonly DiffLine[]): (DiffLine | 'gap')[] {
  const contextLines = 3;
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, index): (DiffLine | 'gap')[] => {
    if (near[index]) return [line];
    return near[index - 1] || index === 0 ? ['gap'] : [];
  });
}
