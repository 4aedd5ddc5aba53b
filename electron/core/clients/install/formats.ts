/** Inserts or removes our entry in any format, and verifies that nothing else changed. */
import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { type ParsedDocument, parseText } from '../../files/document.ts';
import { applyEdits, type Edit } from '../documents/edit.ts';
import { putJson, removeJson } from '../documents/json-edit.ts';
import { putToml, removeToml } from '../documents/toml-edit.ts';
import { putYaml, removeYaml } from '../documents/yaml-edit.ts';
import type { EntryPath, EntryPlace, Refuse } from './entry-path.ts';

type Json = Record<string, unknown>;

/** Inserts the entry; returns the new text and, if it is contiguous, the inserted piece. Fails with CLIENT_FILE_INVALID. */
export function putEntry(
  text: string,
  place: EntryPlace,
  value: unknown,
  index = 0,
): { text: string; inserted?: string } {
  const refuse = refusal(place.file);
  // Parse first, because the parser's messages contain the line.
  const before = meaning(text, place);
  const edits =
    place.format === 'json'
      ? putJson(text, place, value, refuse, index)
      : place.format === 'toml'
        ? putToml(text, place, value, refuse)
        : putYaml(text, place, value, refuse);
  const result = applyEdits(text, edits);
  prove(meaning(result, place), withEntry(before, place, value), place, refuse);
  const [only] = edits;
  return edits.length === 1 && only?.length === 0 ? { text: result, inserted: only.text } : { text: result };
}

/** Removes the entry, if present. `inserted` is the piece that we inserted, if known. */
export function removeEntry(text: string, place: EntryPlace, inserted?: string): string {
  const refuse = refusal(place.file);
  const before = meaning(text, place);
  const expected = withEntry(before, place, undefined);
  if (readEntry(before, place) === undefined) return text;
  const cut = inserted === undefined ? undefined : withoutPiece(text, inserted, expected, place);
  if (cut !== undefined) return cut;
  const edits: Edit[] =
    place.format === 'json'
      ? removeJson(text, place, refuse)
      : place.format === 'toml'
        ? removeToml(text, place, refuse)
        : removeYaml(text, place, refuse);
  const result = applyEdits(text, edits);
  prove(meaning(result, place), expected, place, refuse);
  return result;
}

/** Removes exactly the inserted text, if it is unchanged and the removal changes nothing else. */
function withoutPiece(text: string, piece: string, expected: Json, place: EntryPlace): string | undefined {
  const at = text.indexOf(piece);
  if (at < 0 || text.indexOf(piece, at + 1) >= 0) return undefined;
  const result = text.slice(0, at) + text.slice(at + piece.length);
  const left = parseText(result, place.format, place.file, { valueOnly: true });
  // A file with only comments has neither a value nor problems.
  if (left.value === undefined && left.problems.length > 0) return undefined;
  return isDeepStrictEqual(normal(left.value ?? {}, place), normal(expected, place)) ? result : undefined;
}

/** The value of the entry in the parsed document, or undefined. */
export function readEntry(document: Json, { section, inner, name, list }: EntryPath): unknown {
  const held = document[section];
  if (inner !== undefined) return isObject(held) ? readEntry(held, { section: inner, name }) : undefined;
  if (list) return Array.isArray(held) ? held.find((item) => isObject(item) && item.name === name) : undefined;
  return isObject(held) && Object.hasOwn(held, name) ? held[name] : undefined;
}

/** The parsed document; an empty one is an empty object. Fails with CLIENT_FILE_INVALID. */
export function meaning(text: string, { format, file }: Pick<EntryPlace, 'format' | 'file'>): Json {
  return contentOf(parseText(text, format, file, { valueOnly: true }), file);
}

/** Like `meaning`, for a document that has been parsed. */
export function contentOf({ value, problems }: ParsedDocument, file: string): Json {
  if (value === undefined || value === null) {
    if (problems[0]) throw fail('CLIENT_FILE_INVALID', problems[0].message, problems[0]);
    return {};
  }
  if (!isObject(value)) throw refusal(file)('it does not contain an object');
  return value;
}

function refusal(file: string): Refuse {
  return (reason) =>
    fail('CLIENT_FILE_INVALID', `${file} was not changed: ${reason}.`, {
      file,
      hint: 'Fix the file in an editor, then try again.',
    });
}

function withEntry(document: Json, entryPath: EntryPath, value: unknown): Json {
  const { section, inner, name, list } = entryPath;
  const held = document[section];
  if (inner !== undefined)
    return { ...document, [section]: withEntry(isObject(held) ? held : {}, { section: inner, name }, value) };
  if (list) {
    const others = (Array.isArray(held) ? held : []).filter((item) => !(isObject(item) && item.name === name));
    return { ...document, [section]: value === undefined ? others : [{ name, ...(value as object) }, ...others] };
  }
  const entries = Object.entries(isObject(held) ? held : {}).filter(([key]) => key !== name);
  return { ...document, [section]: Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]) };
}

/** Final check: the edited file must parse to the previous content with our entry as the only difference. */
function prove(found: Json, expected: Json, entryPath: EntryPath, refuse: Refuse): void {
  if (isDeepStrictEqual(normal(found, entryPath), normal(expected, entryPath))) return;
  throw refuse('the edit would change another part of it');
}

/** Normalizes for comparison: plain objects, a missing section equals an empty one, and named lists have no order. */
function normal(document: unknown, { section, list }: EntryPath): unknown {
  const copy = plain(document) as Json;
  const held = copy[section];
  if (held === undefined || held === null || (list && Array.isArray(held) && held.length === 0))
    copy[section] = list ? [] : {};
  else if (list && Array.isArray(held)) copy[section] = held.map((item) => JSON.stringify(item)).sort();
  return copy;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
