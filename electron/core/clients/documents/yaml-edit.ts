/** Edits YAML: inserts our entry as separate lines before the first one, without changing other lines. */
import { isMap, isScalar, isSeq, type Pair, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import type { EntryPath, Refuse } from '../install/entry-path.ts';
import { type Edit, eolOf, indentAt, isFirstOnLine, lineStart } from './edit.ts';

interface Opened {
  empty: boolean;
  pair?: Pair;
  section?: YAMLMap | YAMLSeq;
  /** The start and end of our entry, with its key or dash. */
  entry?: { start: number; end: number };
}

function open(text: string, entryPath: EntryPath, refuse: Refuse): Opened {
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) throw refuse('it does not parse, or has a duplicate key');
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) {
    if (/^(?:---|\.\.\.)/m.test(text)) throw refuse('it contains only document markers');
    return { empty: true };
  }
  if (!isMap(root)) throw refuse('it does not contain a map');
  if (root.flow) throw refuse('it is written as a flow map in braces');
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === entryPath.section);
  const value = pair?.value;
  if (!pair || value === null || (isScalar(value) && value.value === null))
    return { empty: false, ...(pair ? { pair } : {}) };
  if (entryPath.list ? !isSeq(value) : !isMap(value)) {
    throw refuse(`"${entryPath.section}" in it is not a ${entryPath.list ? 'list' : 'map'} of its own`);
  }
  const section = value as YAMLMap | YAMLSeq;
  const entry = isMap(section) ? mapEntry(section, entryPath.name) : listEntry(text, section, entryPath.name);
  return { empty: false, pair, section, ...(entry ? { entry } : {}) };
}

function mapEntry(section: YAMLMap, name: string): { start: number; end: number } | undefined {
  const pair = section.items.find(({ key }) => isScalar(key) && key.value === name);
  const start = rangeOf(pair?.key)?.[0];
  const end = rangeOf(pair?.value)?.[1] ?? rangeOf(pair?.key)?.[1];
  return start === undefined || end === undefined ? undefined : { start, end };
}

function listEntry(text: string, section: YAMLSeq, name: string): { start: number; end: number } | undefined {
  const item = section.items.find((candidate) => isMap(candidate) && candidate.get('name') === name);
  const range = rangeOf(item);
  return range && { start: dashBefore(text, range[0]), end: range[1] };
}

function rangeOf(node: unknown): [number, number, number] | undefined {
  return (node as { range?: [number, number, number] } | null | undefined)?.range ?? undefined;
}

function dashBefore(text: string, offset: number): number {
  return text.lastIndexOf('-', offset - 1);
}

/** Edits that set our entry; they also remove an older one. */
export function putYaml(text: string, entryPath: EntryPath, value: unknown, refuse: Refuse): Edit[] {
  const { empty, pair, section, entry } = open(text, entryPath, refuse);
  const eol = eolOf(text);
  const lines = (indent: string) => {
    const content = entryPath.list ? [{ name: entryPath.name, ...(value as object) }] : { [entryPath.name]: value };
    const printed = stringify(content, { lineWidth: 0 }).trimEnd();
    return printed
      .split('\n')
      .map((line) => indent + line + eol)
      .join('');
  };
  if (entry) {
    const { start, length } = linesOf(text, entry, refuse);
    return [{ offset: start, length, text: lines(indentAt(text, entry.start)) }];
  }
  if (section && section.items.length > 0) {
    const first = isMap(section)
      ? rangeOf(section.items[0]?.key)?.[0]
      : dashBefore(text, rangeOf(section.items[0])?.[0] ?? 0);
    if (section.flow || first === undefined || !isFirstOnLine(text, first)) {
      throw refuse(`"${entryPath.section}" in it is written on one line, which Toolkeep does not edit`);
    }
    return [{ offset: lineStart(text, first), length: 0, text: lines(indentAt(text, first)) }];
  }
  if (section || pair) {
    // `mcpServers:` or `mcpServers: {}`: replace the value after the colon with lines.
    const keyEnd = rangeOf(pair?.key)?.[1] ?? 0;
    const colon = text.indexOf(':', keyEnd);
    const end = rangeOf(section)?.[1] ?? colon + 1;
    const behind = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? '';
    const lineEnd = end + behind.length;
    const broken = lineEnd < text.length;
    return [
      { offset: colon + 1, length: end - colon - 1, text: '' },
      { offset: lineEnd, length: 0, text: eol + lines('  ').slice(0, broken ? -eol.length : undefined) },
    ];
  }
  if (/^\.\.\.\s*$/m.test(text)) throw refuse('it ends with a document marker');
  const gap = empty || text === '' || /(?:\r\n|\n|\r)$/.test(text) ? '' : eol;
  return [{ offset: text.length, length: 0, text: `${gap}${entryPath.section}:${eol}${lines('  ')}` }];
}

/** Edits that remove our entry; an empty section becomes `{}` or `[]`. */
export function removeYaml(text: string, entryPath: EntryPath, refuse: Refuse): Edit[] {
  const { section, entry, pair } = open(text, entryPath, refuse);
  if (!section || !entry) return [];
  const { start, length } = linesOf(text, entry, refuse);
  if (section.items.length > 1) return [{ offset: start, length, text: '' }];
  const colon = text.indexOf(':', rangeOf(pair?.key)?.[1] ?? 0);
  return [
    { offset: colon + 1, length: 0, text: entryPath.list ? ' []' : ' {}' },
    { offset: start, length, text: '' },
  ];
}

/** The lines of an entry. Fails if they have other content. */
function linesOf(
  text: string,
  { start, end }: { start: number; end: number },
  refuse: Refuse,
): { start: number; length: number } {
  if (!isFirstOnLine(text, start)) throw refuse('the Toolkeep entry shares its line with other content');
  const first = lineStart(text, start);
  // The parser may put the end of a block value before or after its last line break.
  const atLineStart = lineStart(text, end) === end && end > start;
  const behind = atLineStart ? '' : (/^[^\r\n]*(?:\r\n|\n|\r)?/.exec(text.slice(end))?.[0] ?? '');
  return { start: first, length: end + behind.length - first };
}
