/** Edits of TOML: our table is appended at the end, and taken out as the lines that it is. */
import { stringify } from 'smol-toml';
import { type Edit, eolOf } from './edit.ts';
import type { Place, Refuse } from './place.ts';

/** Edits that give our table this value: its lines replaced, or appended. */
export function putToml(text: string, place: Place, value: unknown, refuse: Refuse): Edit[] {
  const eol = eolOf(text);
  const table = stringify({ [place.section]: { [place.name]: value } })
    .trim()
    .replaceAll(/\r?\n/g, eol);
  // The writer may print an empty `[section]` line, which the file may have already.
  const own = table.slice(table.indexOf(`[${place.section}.`));
  const old = tableRange(text, place);
  if (old) return [{ ...old, text: own + eol }];
  if (hasKeys(text, place))
    throw refuse(`"${place.section}.${place.name}" is written in it in a form that cannot be replaced`);
  const gap = text === '' ? '' : /(?:\r\n|\n|\r)$/.test(text) ? eol : eol + eol;
  return [{ offset: text.length, length: 0, text: `${gap}${own}${eol}` }];
}

/** Edits that take our table out, and the empty line in front of it. */
export function removeToml(text: string, place: Place, refuse: Refuse): Edit[] {
  const range = tableRange(text, place);
  if (!range) {
    if (hasKeys(text, place))
      throw refuse(`"${place.section}.${place.name}" is written in it in a form that cannot be taken out`);
    return [];
  }
  const before = text.slice(0, range.offset);
  const gap = /(?:^|[^\r\n])(?:\r\n|\n|\r)(\r\n|\n|\r)$/.exec(before)?.[1]?.length ?? 0;
  return [{ offset: range.offset - gap, length: range.length + gap, text: '' }];
}

/** From the header of our table to its last line that is neither empty nor a comment, tables inside it included. */
function tableRange(text: string, place: Place): { offset: number; length: number } | undefined {
  let start: number | undefined;
  let end = 0;
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)) {
    const header = headerOf(line);
    if (header) {
      const ours = header[0] === place.section && header[1] === place.name;
      if (ours && start === undefined) start = index;
      else if (!ours && start !== undefined) break;
    }
    const trimmed = line.trim();
    if (start !== undefined && trimmed !== '' && !trimmed.startsWith('#')) end = index + line.length;
  }
  return start === undefined ? undefined : { offset: start, length: end - start };
}

/** The names in `[a."b c".d]`; undefined for other lines. Wrong guesses inside long texts are caught by the check after. */
function headerOf(line: string): string[] | undefined {
  const inner = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.replace(/[\r\n]+$/, ''))?.[1];
  return inner === undefined
    ? undefined
    : [...inner.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

/** True when the entry may exist without a header of its own. */
function hasKeys(text: string, { section, name }: Place): boolean {
  return (
    new RegExp(`${section}[\\s.={]{1,99}["']?${name}\\b`).test(text) ||
    new RegExp(`^\\s*["']?${name}["']?\\s*[.=]`, 'm').test(text)
  );
}
