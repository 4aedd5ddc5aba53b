/** A unified diff of one file. */
import type { DiffLine } from '../../shared/diff.ts';
import { DiffView } from './diff-view.tsx';

export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    // The file name is shown above the diff.
    .filter((line) => !/^(?:---|\+\+\+) /.test(line))
    // Hide the position of a first hunk that starts at the first line, because nothing is omitted before it.
    .filter((line, index) => index > 0 || !/^@@ -[01](?:,\d+)? \+[01](?:,\d+)? @@/.test(line))
    .map((line) =>
      line.startsWith('@@') ? 'gap' : { sign: line.charAt(0) as DiffLine['sign'], text: line.slice(1) || ' ' },
    );
  return <DiffView lines={lines} label={label} />;
}
