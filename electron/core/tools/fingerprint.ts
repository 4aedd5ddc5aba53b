/** A hash of the definition that the user accepted, and a readable description of later changes. */
import { createHash } from 'node:crypto';
import { isObject } from '../../../shared/is-object.ts';

type Json = unknown;

/** The parts of a definition that an agent reads or that affect a call. Icons, `_meta` and other fields are not pinned. */
const pinned = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Lists whose order has no meaning in JSON Schema. */
const unordered = new Set(['required', 'enum', 'type']);

/** Dates and times in descriptions and defaults, which some servers change at each start. */
const dates =
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:[A-Z][a-z]{2,8} \d{1,2},?|\d{1,2} [A-Z][a-z]{2,8},?) \d{4}(?: \d{2}:\d{2}:\d{2})?(?: (?:GMT|UTC)(?:[+-]\d{4})?(?: \([\w ]+\))?)?|\b1[5-9]\d{8}(?:\d{3})?\b/g;

/** The canonical form: keys and sets sorted, white space in prose collapsed, dates replaced. */
function normalize(value: Json, key: string): Json {
  if (typeof value === 'string' && (key === 'description' || key === 'title'))
    return value
      .replace(/[ \t\r\n]+/g, ' ')
      .replace(/^ | $/g, '')
      .replace(dates, '<date>');
  if (key === 'default' && typeof value === 'string') return value.replace(dates, '<date>');
  if (key === 'default' && isTimestamp(value)) return '<date>';
  if (Array.isArray(value)) {
    const list = value.map((item) => normalize(item, ''));
    return unordered.has(key) && list.every((item) => typeof item === 'string') ? list.sort() : list;
  }
  if (!isObject(value)) return value;
  // Use no prototype, because a property called `__proto__` is data like any other.
  const sorted: Record<string, Json> = Object.create(null);
  for (const name of Object.keys(value).sort())
    if (value[name] !== undefined) sorted[name] = normalize(value[name], name);
  return sorted;
}

/** Milliseconds or seconds since 1970, within this century. */
function isTimestamp(value: Json): boolean {
  return typeof value === 'number' && ((value > 1.5e9 && value < 2e9) || (value > 1.5e12 && value < 2e12));
}

function essence(definition: Record<string, Json>): Record<string, Json> {
  const parts: Record<string, Json> = {};
  for (const key of pinned) if (definition[key] !== undefined) parts[key] = normalize(definition[key], key);
  return parts;
}

/**
 * A hash of name, title, description, schemas and annotations. It ignores key order, line breaks in prose, and dates;
 * any other change to what an agent reads or may send changes it.
 */
export function fingerprint(definition: Record<string, Json>): string {
  return createHash('sha256')
    .update(JSON.stringify(essence(definition)))
    .digest('base64url')
    .slice(0, 27);
}

/** The differences between the accepted definition and the new one. */
export interface ChangeToAccept {
  /** The parts that differ, in canonical form. */
  before: Record<string, Json>;
  after: Record<string, Json>;
  /** One line for each difference, in reading order; empty if and only if the fingerprints are equal. */
  changes: string[];
}

export function changeToAccept(before: Record<string, Json>, after: Record<string, Json>): ChangeToAccept {
  const result: ChangeToAccept = { before: {}, after: {}, changes: [] };
  const [old, now] = [essence(before), essence(after)];
  for (const part of pinned) {
    const changes: string[] = [];
    compare(old[part], now[part], part, changes);
    if (changes.length === 0) continue;
    result.changes.push(...changes);
    if (old[part] !== undefined) result.before[part] = old[part];
    if (now[part] !== undefined) result.after[part] = now[part];
  }
  return result;
}

function compare(before: Json, after: Json, path: string, changes: string[]): void {
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[key], after[key], `${path}.${key}`, changes);
    return;
  }
  const [old, now] = [JSON.stringify(before), JSON.stringify(after)];
  if (old === now) return;
  if (old === undefined) changes.push(`${path} was added: ${now}`);
  else if (now === undefined) changes.push(`${path} was removed: ${old}`);
  else changes.push(`${path} changed from ${old} to ${now}`);
}
