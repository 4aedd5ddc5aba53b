/**
 * Finds the titles of the objects that a call names by id, in results that the client has received from the same server.
 * They help the user to read the question and decide nothing.
 */

import { isObject } from '../../../shared/is-object.ts';
import type { SeenTitle } from '../../../shared/model/question.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { createSlices } from '../async/slices.ts';
import { ownerName, wordsOf } from './argument-names.ts';
import { type Arguments, leavesIn } from './argument-values.ts';
import type { ReceivedResult } from './received-text.ts';

/** A result whose server and tool are known. */
export interface TitledResult extends ReceivedResult {
  readonly call: { server: string; tool: string; at: number };
  /** The JSON of `titledObjectsIn` for a result of which only the start is kept. */
  readonly titledObjects?: string;
  /** Parses JSON and removes its secrets. */
  parse(json: string): unknown;
}

/** One object of a result. */
interface TitledObject {
  title: string;
  ids: string[];
  /** The paths of its web addresses. */
  paths: string[];
}

const maxSearchMs = 500;
const maxSliceMs = 4;
const maxIds = 20;
/** More places than any call names. Each is compared with each address. */
const maxOwners = 20;
const maxTitle = 200;
const maxDepth = 12;
const maxObjects = 200;
const maxVisited = 10_000;
/** Parsing more for a title takes longer than a millisecond. */
const maxText = 200_000;

const idKeys = ['id', 'Id', 'uuid', 'gid', 'key', 'identifier', 'shortId', 'number', 'iid'];
const titleKeys = ['title', 'name', 'subject', 'summary', 'Title', 'Name', 'Subject'];
/** Where some services keep an object's own fields. */
const fieldKeys = ['fields', 'properties', 'snippet'];
/** Where services keep what users define. An object in it names whatever its author wants. */
const userDefined =
  /^(?:custom|user_defined|meta|extra|additional|annotation|attribute|front_?matter|fields?$|properties$)/;
const urlKeys = ['html_url', 'web_url', 'webUrl', 'url', 'permalink'];

const idName = /(?:^|[_\-.\s])(?:gid|uuid|iid|id|key|number)s?_?$|^id_/;
/** Ids that name one object of the whole server. A short number may be an issue of any repository. */
const isGlobal = (id: string) => /^[A-Z][A-Z0-9_]*-\d+$/.test(id) || (/^[\w.:@+=/-]{9,200}$/.test(id) && /\d/.test(id));
const isShort = (id: string) => /^\d{1,8}$/.test(id);

/** An argument that names an object. */
interface NamedId {
  id: string;
  /** For a short number: what it counts, as in `issue_number`, and the places in which it counts. */
  counts?: { noun: string; owners: string[] };
}

/** The titles of the ids among the arguments. An id with two titles has none. Finds nothing if it takes over 500 ms. */
export async function titlesOf(
  args: Arguments,
  server: string,
  results: readonly TitledResult[],
): Promise<SeenTitle[]> {
  const ids = idsIn(args);
  if (ids.length === 0) return [];
  const titles = new Map<string, Set<string>>();
  const seen = new Map<string, SeenTitle>();
  const until = performance.now() + maxSearchMs;
  const pause = createSlices(maxSliceMs);
  for (const { call, text, titledObjects, parse } of results) {
    if (call.server !== server) continue;
    await pause();
    if (performance.now() > until) return [];
    const json = titledObjects ?? text;
    if (!ids.some(({ id }) => json.includes(id))) continue;
    const objects = titledObjects ? (parse(titledObjects) as TitledObject[]) : titledObjectsIn(parse(text));
    for (const { title, ...object } of objects)
      for (const named of ids) {
        if (!isNamed(object, named)) continue;
        const { id } = named;
        titles.set(id, (titles.get(id) ?? new Set()).add(title));
        seen.set(id, { id, title, tool: call.tool, at: call.at });
      }
  }
  return [...seen.values()].filter(({ id }) => titles.get(id)?.size === 1);
}

function idsIn(args: Arguments): NamedId[] {
  const leaves = leavesIn(args) ?? [];
  const owners = leaves.flatMap(({ place, value }) =>
    ownerName.test(wordsOf(place.name)) && value !== '' ? [String(value)] : [],
  );
  const found = new Map<string, NamedId>();
  for (const { place, value } of leaves) {
    const id = String(value);
    const name = wordsOf(place.name);
    if (!idName.test(name) || found.has(id)) continue;
    if (isGlobal(id)) found.set(id, { id });
    else if (isShort(id) && owners.length <= maxOwners)
      found.set(id, { id, counts: { noun: name.replace(idName, ''), owners } });
  }
  return [...found.values()].slice(0, maxIds);
}

/** A short number names an object whose address ends with it, as in `/ada/engine/issues/41` for `issue_number`. */
function isNamed({ ids, paths }: Omit<TitledObject, 'title'>, { id, counts }: NamedId): boolean {
  if (!ids.includes(id)) return false;
  if (!counts) return true;
  return paths.some((path) => {
    const [kind = '', last = ''] = path.split('/').slice(-2);
    return (
      last.replace('.json', '') === id &&
      [counts.noun, `${counts.noun}s`].includes(kind.replaceAll('-', '_')) &&
      counts.owners.every((owner) => path.includes(`/${owner.toLowerCase()}/`))
    );
  });
}

/**
 * The outermost objects of a result that have an id and a title. An object's content may come from a stranger, who must not
 * choose the title of another object.
 */
export function titledObjectsIn(result: unknown): TitledObject[] {
  const found: TitledObject[] = [];
  let visited = 0;
  const look = (value: unknown, depth: number): void => {
    visited += 1;
    if (typeof value !== 'object' || value === null || depth > maxDepth) return;
    if (isObject(value)) {
      const title = titleIn(value)?.slice(0, maxTitle);
      const ids = title === undefined ? [] : idsOf(value);
      if (title !== undefined && ids.length > 0) found.push({ title, ids, paths: pathsOf(value) });
      if (hasIdentity(value, title)) return;
    }
    for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (visited > maxVisited || found.length >= maxObjects) return;
      if (typeof key === 'number' || !userDefined.test(wordsOf(key))) look(inner, depth + 1);
    }
  };
  for (const document of documentsIn(result)) look(document, 0);
  return found;
}

/** Whether the object is one of the service's objects, and not only a list of some with its page number or cursor. */
const hasIdentity = (object: Record<string, unknown>, title: string | undefined) =>
  Object.keys(object).some((key) => /^_?id$/i.test(key) || (title !== undefined && idName.test(wordsOf(key))));

/** The structured content of a result, and each of its strings that is JSON. */
function documentsIn(result: unknown): unknown[] {
  if (!isObject(result)) return [];
  let left = maxText;
  const documents = [result.structuredContent];
  for (const block of Array.isArray(result.content) ? result.content : []) {
    const text = isObject(block) ? block.text : undefined;
    if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) continue;
    left -= text.length;
    if (left < 0) break;
    documents.push(parseJson(text));
  }
  return documents;
}

/** An `id` may be an object that contains the id, as that of a video. */
function idsOf(object: Record<string, unknown>): string[] {
  return idKeys
    .flatMap((key) => (isObject(object[key]) ? Object.values(object[key]) : [object[key]]))
    .flatMap((id) => (typeof id === 'string' || typeof id === 'number' ? [String(id)] : []))
    .filter((id) => isGlobal(id) || isShort(id));
}

const pathsOf = (object: Record<string, unknown>) =>
  urlKeys.flatMap((key) => {
    const url = typeof object[key] === 'string' ? URL.parse(object[key]) : null;
    return url ? [url.pathname.toLowerCase()] : [];
  });

/** The object's own title: a string, the rich text of Notion, or one of the object's fields. */
function titleIn(object: Record<string, unknown>, isField = false): string | undefined {
  for (const key of titleKeys) {
    const title = textOf(object[key]);
    if (title !== undefined) return title;
  }
  for (const key of isField ? [] : fieldKeys) {
    const fields = object[key];
    if (!isObject(fields)) continue;
    const property = Object.values(fields).find((value) => isObject(value) && value.type === 'title');
    const title = isObject(property) ? textOf(property.title) : titleIn(fields, true);
    if (title !== undefined) return title;
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  return textOf(
    value.map((part) => (isObject(part) && typeof part.plain_text === 'string' ? part.plain_text : '')).join(''),
  );
}
