/** Text output of `toolkeep trust`: the review of a folder's configuration, and the trusted folders. */
import type { TrustEffects, TrustedFolderView, TrustReview } from '../../../shared/model/trust.ts';
import { count, type Style, safe } from '../terminal.ts';

export function filesText({ folder, status, files }: TrustReview, style: Style): string {
  const states = { none: '', trusted: 'trusted', untrusted: 'not trusted', changed: 'changed since you trusted it' };
  const lines = files.map(({ path, hash }) => `  ${safe(path)} ${style.dim(`sha256 ${hash.slice(0, 16)}…`)}`);
  return [`${style.bold(safe(folder))}: ${states[status]}`, ...lines].join('\n');
}

export function effectsText({ adds, stricter, loosens, ignored }: TrustEffects, style: Style): string {
  const block = (title: string, lines: string[]) => (lines.length > 0 ? [`\n${title}`, ...lines] : []);
  const listed = (mark: string) => (text: string) => `  ${mark} ${safe(text)}`;
  const all = [
    ...block('Adds:', adds.map(listed('+'))),
    ...block('Makes stricter:', stricter.map(listed('+'))),
    ...block(
      `${style.warn('Weakens your protection')} (accept each line separately):`,
      loosens.map(({ text }) => listed(style.warn('!'))(text)),
    ),
    ...block('Ignored:', ignored.map(listed('·'))),
  ];
  return all.length > 0 ? all.join('\n') : '\nIt changes nothing.';
}

export function trustedText(folders: TrustedFolderView[], style: Style): string {
  if (folders.length === 0) return 'You have not trusted any folders.';
  return folders
    .map(({ folder, files, accepted, trustedAt }) => {
      const date = new Date(trustedAt).toISOString().slice(0, 10);
      const extra = accepted.length > 0 ? `; accepted: ${safe(accepted.join(', '))}` : '';
      return `${style.bold(safe(folder))}: ${count(files, 'file')}, since ${date}${extra}`;
    })
    .join('\n');
}
