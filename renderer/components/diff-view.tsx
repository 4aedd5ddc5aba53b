/** Lines of a diff. `gap` replaces unchanged lines. */
import type { DiffLine } from '../../shared/diff.ts';
import styles from './diff-view.module.css';
import { ScrollRegion } from './scroll-region.tsx';
import { VisibleText } from './untrusted-text.tsx';

const looks = { '+': styles.diffNew, '-': styles.diffOld, ' ': '' };

export function DiffView({ lines, label }: { lines: readonly (DiffLine | 'gap')[]; label: string }) {
  return (
    <ScrollRegion className={styles.diff} label={label}>
      {lines.map((line, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
          key={index}
          translate="no"
          className={line === 'gap' ? styles.diffGap : `${styles.diffLine} ${looks[line.sign]}`}
        >
          {line === 'gap' ? (
            '⋯'
          ) : (
            <>
              <span className={styles.diffSign}>{line.sign}</span>
              <VisibleText text={line.text} />
            </>
          )}
        </span>
      ))}
    </ScrollRegion>
  );
}
