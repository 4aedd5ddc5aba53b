/** Filters a server's log, and formats it as text. */
import type { LogEntry, LogKind } from '../../../shared/model/server-log.ts';
import { hasWords, wordsOf } from '../../components/words.ts';

export type LogPart = 'all' | 'output' | 'messages' | 'errors';

const parts: Record<LogKind, LogPart> = {
  state: 'output',
  stderr: 'output',
  stdout: 'output',
  sent: 'messages',
  received: 'messages',
};

/** Every word of `text` must occur in the entry. */
export function filterLog(entries: readonly LogEntry[], part: LogPart, text: string): LogEntry[] {
  const words = wordsOf(text);
  return entries.filter((entry) => {
    if (part === 'errors' ? !entry.isError : part !== 'all' && parts[entry.kind] !== part) return false;
    if (words.length === 0) return true;
    const haystack = `${entry.text} ${entry.message ?? ''}`.toLowerCase();
    return hasWords(haystack, words);
  });
}

export function logText(entries: readonly LogEntry[]): string {
  return entries
    .map(({ at, kind, text, message }) =>
      [new Date(at).toISOString(), kind.padEnd(8), text, message].filter(Boolean).join(' '),
    )
    .join('\n');
}
