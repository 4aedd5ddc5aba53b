/** An exact difference of a file, as a patch has it. */
import { VisibleText } from './server-text.tsx';

export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  // The names of both sides are the same file, which stands above already.
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !/^(?:---|\+\+\+) /.test(line));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that may scroll has to be reachable by keyboard
    <section className="diff" tabIndex={0} aria-label={label}>
      {lines.map((line, index) =>
        line.startsWith('@@') ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
          <span key={index} className="diff-gap">
            ⋯
          </span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
          <span key={index} className={`diff-line ${lineLooks[line.charAt(0)] ?? 'diff-same'}`}>
            <span className="diff-sign">{line.charAt(0)}</span>
            <VisibleText text={line.slice(1) || ' '} />
          </span>
        ),
      )}
    </section>
  );
}

const lineLooks: Record<string, string> = { '+': 'diff-new', '-': 'diff-old' };
