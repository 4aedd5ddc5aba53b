/**
 * Finds the titles of the objects that a call names by id, in results that the client has received from the same server.
 * They help the user to read the question and decide nothing.
 */
import { isObject } from '../../../shared/is-object.ts';
import type { SeenTitle } from '../../../shared/model/question.ts';
import { createSlices } from '../async/slices.ts';
import { wordsOf } from './argument-names.ts';
import { type Arguments, leavesIn } from './argument-values.ts';
import type { ReceivedResult } from './leaks.ts';

/** A result whose server and tool are known. */
export interface TitledResult extends ReceivedResult {
  readonly call: { server: string; tool: string; at: number };
  /** True if only the start of the result is kept. Its last title may be incomplete. */
  readonly isShortened: boolean;
  /** Parses the text and removes its secrets. */
  parse(json: string): unknown;
}

const maxSearchMs = 50;
const maxSliceMs = 4;
const maxIds = 20;
const maxTitle = 200;
const maxDepth = 12;

const idName = /(?:^|[_\-.\s])(?:gid|uuid|id|key)s?_?$/;
const idKeys = ['id', 'uuid', 'gid', 'key'];
const titleKeys = ['title', 'name', 'subject', 'summary'];
/** Ids that name one object of the whole server. A short number may be an issue of any repository. */
const isGlobal = (id: string) => /^[A-Z][A-Z0-9_]*-\d+$/.test(id) || (/^[\w.:@+=-]{10,200}$/.test(id) && /\d/.test(id));

/** The titles of the ids among the arguments. An id with two titles has none. Takes at most 50 ms; then finds nothing. */
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
  for (const { call, text, isShortened, parse } of results) {
    if (call.server !== server || isShortened) continue;
    await pause();
    if (performance.now() > until) return [];
    if (!ids.some((id) => text.includes(id))) continue;
    for (const value of documentsIn(parse(text)))
      for (const object of objectsIn(value)) {
        const title = titleIn(object);
        if (title === undefined) continue;
        for (const key of idKeys) {
          const id = object[key];
          if (typeof id !== 'string' || !ids.includes(id)) continue;
          titles.set(id, (titles.get(id) ?? new Set()).add(title));
          seen.set(id, { id, title: title.slice(0, maxTitle), tool: call.tool, at: call.at });
        }
      }
  }
  return [...seen.values()].filter(({ id }) => titles.get(id)?.size === 1);
}

function idsIn(args: Arguments): string[] {
  const ids = (leavesIn(args) ?? []).flatMap(({ names, value }) =>
    typeof value === 'string' && isGlobal(value) && idName.test(wordsOf(names.at(-1) ?? '')) ? [value] : [],
  );
  return [...new Set(ids)].slice(0, maxIds);
}

/** The structured content of a result, and each of its strings that is JSON. */
function documentsIn(result: unknown): unknown[] {
  if (!isObject(result)) return [];
  const blocks = Array.isArray(result.content) ? result.content : [];
  return [result.structuredContent, ...blocks.map((block) => (isObject(block) ? jsonIn(block.text) : undefined))];
}

function jsonIn(text: unknown): unknown {
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectsIn(value: unknown, depth = 0): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  const inner = Object.values(value).flatMap((item) => objectsIn(item, depth + 1));
  return isObject(value) ? [value, ...inner] : inner;
}

/** The object's own title: a string, the rich text of Notion, or the summary among the fields of Jira. */
function titleIn(object: Record<string, unknown>): string | undefined {
  for (const key of titleKeys) {
    const title = textOf(object[key]);
    if (title !== undefined) return title;
  }
  const { fields, properties } = object;
  if (isObject(fields)) return textOf(fields.summary);
  if (!isObject(properties)) return undefined;
  const property = Object.values(properties).find((value) => isObject(value) && value.type === 'title');
  return isObject(property) ? textOf(property.title) : undefined;
}

function textOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  return textOf(
    value.map((part) => (isObject(part) && typeof part.plain_text === 'string' ? part.plain_text : '')).join(''),
  );
}
