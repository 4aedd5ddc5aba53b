/** Edits JSON with comments: inserts or removes one property without changing any other byte. jsonc-parser's `modify` reformats neighbors. */
import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { EntryPath, Refuse } from '../install/entry-path.ts';
import { type Edit, eolOf, indentAt, isFirstOnLine, lineStart } from './edit.ts';

/** Token kinds of the scanner; its const enum cannot be imported with type stripping. */
const token = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, blank: 15 };

/** Finds the root object, the section and our entry. Fails if they cannot be edited safely. */
function open(
  text: string,
  { section, inner, name }: EntryPath,
  refuse: Refuse,
): { root?: Node; section?: Node; sectionProperty?: Node; entry?: Node } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  if (errors.length > 0) throw refuse('it does not parse');
  if (!root) return {};
  if (root.type !== 'object') throw refuse('it does not contain an object');
  const outer = onlyProperty(root, section, refuse);
  const nested = outer?.children?.[1];
  const sectionProperty = inner !== undefined && nested ? onlyProperty(nested, inner, refuse) : outer;
  const value = sectionProperty?.children?.[1];
  if (!sectionProperty || !value) return { root };
  if (value.type === 'null') return { root, sectionProperty };
  if (value.type !== 'object') throw refuse(`"${section}" in it does not contain an object`);
  const entry = onlyProperty(value, name, refuse);
  return { root, sectionProperty, section: value, ...(entry ? { entry } : {}) };
}

/** The property with that name. Fails if the object has duplicate keys. */
function onlyProperty(object: Node, name: string, refuse: Refuse): Node | undefined {
  const seen = new Set<unknown>();
  for (const property of object.children ?? []) {
    const key: unknown = property.children?.[0]?.value;
    if (seen.has(key)) throw refuse(`"${String(key)}" is a duplicate key in it`);
    seen.add(key);
  }
  return object.children?.find((property) => property.children?.[0]?.value === name);
}

/** Edits that set the entry: replaced in place if present, otherwise inserted before the property at `index`. */
export function putJson(text: string, entryPath: EntryPath, value: unknown, refuse: Refuse, index = 0): Edit[] {
  const { root, section, sectionProperty, entry } = open(text, entryPath, refuse);
  const eol = eolOf(text);
  const unit = unitOf(text, root);
  if (!root) {
    const lead = text === '' || /[\r\n]$/.test(text) ? '' : eol;
    const whole = JSON.stringify({ [entryPath.section]: { [entryPath.name]: value } }, null, unit);
    return [{ offset: text.length, length: 0, text: lead + whole.replaceAll('\n', eol) + eol }];
  }
  const old = entry?.children?.[1];
  if (old) return [{ offset: old.offset, length: old.length, text: rendered(value, text, old.offset, unit, eol) }];
  if (section) return [insertion(text, section, entryPath.name, value, index, unit, eol)];
  const whole = { [entryPath.name]: value };
  const nothing = sectionProperty?.children?.[1];
  if (nothing)
    return [{ offset: nothing.offset, length: nothing.length, text: rendered(whole, text, nothing.offset, unit, eol) }];
  // `$schema` is first by convention; insert the section after it.
  const first = root.children?.[0]?.children?.[0]?.value === '$schema' && (root.children?.length ?? 0) > 1 ? 1 : 0;
  return [insertion(text, root, entryPath.section, whole, first, unit, eol)];
}

/** Edits that remove the entry; none if it does not exist. */
export function removeJson(text: string, entryPath: EntryPath, refuse: Refuse): Edit[] {
  const { section, entry } = open(text, entryPath, refuse);
  return section && entry ? removal(text, section, entry) : [];
}

function unitOf(text: string, root: Node | undefined): string {
  const first = root?.children?.[0];
  if (!first || !isFirstOnLine(text, first.offset)) return '  ';
  const outer = indentAt(text, root.offset);
  const inner = indentAt(text, first.offset);
  return inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '  ';
}

/** The value as JSON in the style of the document; on one line if the document has only one. */
function rendered(value: unknown, text: string, offset: number, unit: string, eol: string): string {
  if (!/[\r\n]/.test(text.trim())) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indentAt(text, offset));
}

function insertion(
  text: string,
  object: Node,
  key: string,
  value: unknown,
  index: number,
  unit: string,
  eol: string,
): Edit {
  const children = object.children ?? [];
  const next = children[Math.min(index, children.length - 1)];
  const before = next ? children[children.indexOf(next) - 1] : undefined;
  const anchor = before ? commaEnd(text, endOf(before)) : object.offset + 1;
  const onLines = (indent: string) =>
    `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)}`;
  const onOneLine = () => `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
  if (next) {
    if (isFirstOnLine(text, next.offset)) {
      const indent = indentAt(text, next.offset);
      return { offset: behindComment(text, anchor), length: 0, text: `${eol}${indent}${onLines(indent)},` };
    }
    // In a one-line object, copy the white space after the brace or comma, so that removal restores it.
    const blanks = /^[ \t]*/.exec(text.slice(anchor))?.[0] ?? '';
    return { offset: anchor, length: 0, text: `${blanks}${onOneLine()},` };
  }
  const inside = text.slice(anchor, endOf(object) - 1);
  const outer = indentAt(text, object.offset);
  const indent = outer + unit;
  if (/[\r\n]/.test(inside))
    return { offset: behindComment(text, anchor), length: 0, text: `${eol}${indent}${onLines(indent)}` };
  if (!/[\r\n]/.test(text.trim())) return { offset: anchor, length: 0, text: onOneLine() };
  return { offset: anchor, length: 0, text: `${eol}${indent}${onLines(indent)}${eol}${outer}` };
}

function removal(text: string, object: Node, property: Node): Edit[] {
  const children = object.children ?? [];
  const before = children[children.indexOf(property) - 1];
  const end = endOf(property);
  const comma = commaStart(text, end);
  const edits: Edit[] = [];
  let cutEnd = end;
  if (comma !== undefined) {
    // Keep a comment between the value and its comma.
    if (text.slice(end, comma).trim() === '') cutEnd = comma + 1;
    else edits.push({ offset: comma, length: 1, text: '' });
  } else if (before) {
    const earlier = commaStart(text, endOf(before));
    if (earlier !== undefined) edits.push({ offset: earlier, length: 1, text: '' });
  }
  const cutStart = startOfCut(text, property.offset, cutEnd);
  const alone = children.length === 1;
  const rest = text.slice(object.offset + 1, cutStart) + text.slice(cutEnd, endOf(object) - 1);
  if (alone && edits.length === 0 && rest.trim() === '') {
    return [{ offset: object.offset + 1, length: object.length - 2, text: '' }];
  }
  return [...edits, { offset: cutStart, length: cutEnd - cutStart, text: '' }];
}

/** Extends the range over preceding white space and the line break, unless a following comment would move up. */
function startOfCut(text: string, start: number, end: number): number {
  let blanks = start;
  while (blanks > 0 && (text[blanks - 1] === ' ' || text[blanks - 1] === '\t')) blanks -= 1;
  if (lineStart(text, start) !== blanks) return blanks;
  const behind = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  const closes = /^[ \t]*[}\]]/.test(behind);
  if (behind.trim() !== '' && !closes) return start;
  if (blanks > 1 && text[blanks - 1] === '\n' && text[blanks - 2] === '\r') return blanks - 2;
  return Math.max(0, blanks - 1);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** The offset of the comma after `from`, skipping comments; undefined if something else follows. */
function commaStart(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return Number(scanner.scan()) === token.comma ? scanner.getTokenOffset() : undefined;
}

function commaEnd(text: string, from: number): number {
  const comma = commaStart(text, from);
  return comma === undefined ? from : comma + 1;
}

/** The offset after the comments that follow `from` on its line, so that a comment stays with its property. */
function behindComment(text: string, from: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let position = from;
  for (;;) {
    const kind = Number(scanner.scan());
    if (kind === token.lineComment || kind === token.blockComment) position = scanner.getPosition();
    else if (kind !== token.blank) return kind === token.lineBreak ? position : from;
  }
}
