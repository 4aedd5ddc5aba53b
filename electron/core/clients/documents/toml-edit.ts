/** Edits TOML: appends our table, or replaces or removes its lines. */
import { stringify } from 'smol-toml';
import type { EntryPath, Refuse } from '../install/entry-path.ts';
import { type Edit, eolOf } from './edit.ts';

/** Edits that set our table: replaces its lines or appends them. */
export function putToml(text: string, entryPath: EntryPath, value: unknown, refuse: Refuse): Edit[] {
  const eol = eolOf(text);
  const table = stringify({ [entryPath.section]: { [entryPath.name]: value } })
    .trim()
    .replaceAll(/\r?\n/g, eol);
  // The serializer may print an empty `[section]` line that the file already has.
  const own = table.slice(table.indexOf(`[${entryPath.section}.`));
  const old = tableRange(text, entryPath);
  if (old) return [{ ...old, text: own + eol }];
  if (hasKeys(text, entryPath))
    throw refuse(`"${entryPath.section}.${entryPath.name}" is written in a form that cannot be replaced`);
  const gap = text === '' ? '' : /(?:\r\n|\n|\r)$/.test(text) ? eol : eol + eol;
  return [{ offset: text.length, length: 0, text: `${gap}${own}${eol}` }];
}

/** Edits that remove our table and the empty line before it. */
export function removeToml(text: string, entryPath: EntryPath, refuse: Refuse): Edit[] {
  const range = tableRange(text, entryPath);
  if (!range) {
    if (hasKeys(text, entryPath))
      throw refuse(`"${entryPath.section}.${entryPath.name}" is written in a form that cannot be removed`);
    return [];
  }
  const before = text.slice(0, range.offset);
  const gap = /(?:^|[^\r\n])(?:\r\n|\n|\r)(\r\n|\n|\r)$/.exec(before)?.[1]?.length ?? 0;
  return [{ offset: range.offset - gap, length: range.length + gap, text: '' }];
}

/** The range of our table and its nested tables, from the header to the last line that is neither empty nor a comment. */
function tableRange(text: string, entryPath: EntryPath): { offset: number; length: number } | undefined {
  let start: number | undefined;
  let end = 0;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)) {
    const header = headerOf(line);
    if (header) {
      const ours = header[0] === entryPath.section && header[1] === entryPath.name;
      if (ours && start === undefined) start = index;
      else if (!ours && start !== undefined) break;
    }
    const trimmed = line.trim();
    if (start !== undefined && trimmed !== '' && !trimmed.startsWith('#')) end = index + line.length;
  }
  return start === undefined ? undefined : { offset: start, length: end - start };
}

/** The names in `[a."b c".d]`; undefined for other lines. The final check catches wrong guesses inside multi-line strings. */
function headerOf(line: string): string[] | undefined {
  const inner = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.replace(/[\r\n]+$/, ''))?.[1];
  return inner === undefined
    ? undefined
    : [...inner.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

/** True if the entry may exist without its own header. */
function hasKeys(text: string, { section, name }: EntryPath): boolean {
  return (
    new RegExp(`${section}[\\s.={]{1,99}["']?${name}\\b`).test(text) ||
    new RegExp(`^\\s*["']?${name}["']?\\s*[.=]`, 'm').test(text)
  );
}
