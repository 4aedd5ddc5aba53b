/** Lines of a difference; `gap` stands for those in between that are the same. */
import type { DiffLine } from '../../shared/diff.ts';
import { ScrollRegion } from './scroll-region.tsx';
import { VisibleText } from './server-text.tsx';

const looks = { '+': 'diff-new', '-': 'diff-old', ' ': 'diff-same' };

export function DiffView({ lines, label }: { lines: readonly (DiffLine | 'gap')[]; label: string }) {
  return (
    <ScrollRegion className="diff" label={label}>
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
          key={index}
          className={line === 'gap' ? 'diff-gap' : `diff-line ${looks[line.sign]}`}
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
    </ScrollRegion>
  );
}
