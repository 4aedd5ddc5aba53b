/** The exact difference between two texts as people know it, with secrets masked. */
import { mask, maskText, redact } from '../secrets/secrets.ts';

const context = 3;
/** Beyond this many changed lines the middle is shown as one block instead of being compared line by line. */
const maxCompared = 1500;

interface Line {
  sign: ' ' | '-' | '+';
  text: string;
}

/** A unified diff of `before` and `after`; empty when they are equal. `documents` are their parsed forms, for masking. */
export function redactedDiff(file: string, before: string, after: string, documents: unknown[]): string {
  if (before === after) return '';
  const hide = hider(documents);
  const lines = compared(split(before), split(after));
  const hunks = hunksOf(lines).map((hunk) => hunkText(lines, hunk, hide));
  return [`--- ${file}`, `+++ ${file}`, ...hunks].join('\n');
}

function split(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function compared(a: string[], b: string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

/** Longest common subsequence, by the table that textbooks have. */
function changes(a: string[], b: string[]): Line[] {
  const out = (text: string): Line => ({ sign: '-', text });
  const into = (text: string): Line => ({ sign: '+', text });
  if (a.length === 0 || b.length === 0 || a.length > maxCompared || b.length > maxCompared)
    return [...a.map(out), ...b.map(into)];
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] as string });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(out(a[i] as string));
      i += 1;
    } else {
      lines.push(into(b[j] as string));
      j += 1;
    }
  }
  return lines;
}

/** Ranges of lines to show: every change with its surroundings, neighbours joined. */
function hunksOf(lines: Line[]): [number, number][] {
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

function hunkText(lines: Line[], [from, to]: [number, number], hide: (text: string) => string): string {
  const count = (part: Line[], sign: '-' | '+') =>
    part.filter((line) => line.sign !== (sign === '-' ? '+' : '-')).length;
  const above = lines.slice(0, from);
  const shown = lines.slice(from, to);
  const range = (sign: '-' | '+') => {
    const length = count(shown, sign);
    return `${sign}${count(above, sign) + (length === 0 ? 0 : 1)},${length}`;
  };
  return [`@@ ${range('-')} ${range('+')} @@`, ...shown.map(({ sign, text }) => sign + hide(text))].join('\n');
}

/** Masks in a line what redacting the whole document would mask, and what looks secret in the line itself. */
function hider(documents: unknown[]): (text: string) => string {
  const secrets = new Map<string, string>();
  for (const document of documents) collect(document, redact(document), secrets);
  // Longest first, so that a secret that holds another one goes as a whole.
  const pairs = [...secrets].sort(([a], [b]) => b.length - a.length);
  return (text) => {
    let result = text;
    for (const [secret, masked] of pairs) result = result.replaceAll(secret, masked);
    return maskText(result);
  };
}

function collect(value: unknown, redacted: unknown, secrets: Map<string, string>): void {
  if (typeof value === 'string' && typeof redacted === 'string' && value !== redacted) {
    for (const [index, line] of value.split('\n').entries()) {
      // One letter cannot be hidden by its value without hiding every such letter; its name hides it.
      if (line.trim().length < 3) continue;
      const masked = value.includes('\n') ? (index === 0 ? mask : '') : redacted;
      secrets.set(line, masked);
      secrets.set(JSON.stringify(line).slice(1, -1), masked);
    }
    secrets.set(JSON.stringify(value).slice(1, -1), redacted);
    return;
  }
  if (typeof value !== 'object' || value === null || typeof redacted !== 'object' || redacted === null) return;
  for (const [key, item] of Object.entries(value)) collect(item, (redacted as Record<string, unknown>)[key], secrets);
}
