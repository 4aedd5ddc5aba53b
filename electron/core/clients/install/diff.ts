/** A unified diff of two versions of a file, with secrets redacted. */
import { type DiffLine, diffLines } from '../../../../shared/diff.ts';
import { redact, redactText } from '../../secrets/redact.ts';
import { redaction } from '../../secrets/token-patterns.ts';

const context = 3;
/** A unified diff of `before` and `after`; empty if they are equal. `documents` are their parsed forms, for redaction. */
export function redactedDiff(file: string, before: string, after: string, documents: unknown[]): string {
  if (before === after) return '';
  const hide = hider(documents);
  const lines = diffLines(split(before), split(after));
  const hunks = hunksOf(lines).map((hunk) => hunkText(lines, hunk, hide));
  return [`--- ${file}`, `+++ ${file}`, ...hunks].join('\n');
}

function split(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Ranges of lines to show: every change with its context; adjacent ranges are joined. */
function hunksOf(lines: DiffLine[]): [number, number][] {
  const hunks: [number, number][] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(0, index - context);
    const to = Math.min(lines.length, index + context + 1);
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function hunkText(lines: DiffLine[], [from, to]: [number, number], hide: (text: string) => string): string {
  const count = (part: DiffLine[], sign: '-' | '+') =>
    part.filter((line) => line.sign !== (sign === '-' ? '+' : '-')).length;
  const above = lines.slice(0, from);
  const shown = lines.slice(from, to);
  const range = (sign: '-' | '+') => {
    const length = count(shown, sign);
    return `${sign}${count(above, sign) + (length === 0 ? 0 : 1)},${length}`;
  };
  return [`@@ ${range('-')} ${range('+')} @@`, ...shown.map(({ sign, text }) => sign + hide(text))].join('\n');
}

/** In each line, redacts the secrets of the whole document and strings that look like secrets. */
function hider(documents: unknown[]): (text: string) => string {
  const secrets = new Map<string, string>();
  for (const document of documents) collect(document, redact(document), secrets);
  // Longest first, so that a secret that contains another one is replaced completely.
  const pairs = [...secrets].sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let result = text;
    for (const [secret, hidden] of pairs) result = result.replaceAll(secret, hidden);
    return redactText(result);
  };
}

function collect(value: unknown, redacted: unknown, secrets: Map<string, string>): void {
  if (typeof value === 'string' && typeof redacted === 'string' && value !== redacted) {
    for (const [index, line] of value.split('\n').entries()) {
      // Replacing very short strings everywhere would garble the diff; such values are redacted by their key.
      if (line.trim().length < 3) continue;
      const hidden = value.includes('\n') ? (index === 0 ? redaction : '') : redacted;
      secrets.set(line, hidden);
      secrets.set(JSON.stringify(line).slice(1, -1), hidden);
    }
    secrets.set(JSON.stringify(value).slice(1, -1), redacted);
    return;
  }
  if (typeof value !== 'object' || value === null || typeof redacted !== 'object' || redacted === null) return;
  for (const [key, item] of Object.entries(value)) collect(item, (redacted as Record<string, unknown>)[key], secrets);
}
