/** What a person relied on when they accepted a tool: its hash, and the readable difference when it changes. */
import { createHash } from 'node:crypto';

type Json = unknown;

/** The parts of a definition that an agent reads or that shape a call. Icons, `_meta` and the like are not pinned. */
const pinned = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Lists whose order means nothing in JSON Schema. */
const unordered = new Set(['required', 'enum', 'type']);

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same meaning in one form: keys sorted, sets sorted, runs of white space in prose made one space. */
function normalise(value: Json, key: string): Json {
  if (typeof value === 'string' && (key === 'description' || key === 'title'))
    return value.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
  if (Array.isArray(value)) {
    const list = value.map((item) => normalise(item, ''));
    return unordered.has(key) && list.every((item) => typeof item === 'string') ? list.sort() : list;
  }
  if (!isRecord(value)) return value;
  // No prototype: a property called `__proto__` is data like any other.
  const sorted: Record<string, Json> = Object.create(null);
  for (const name of Object.keys(value).sort())
    if (value[name] !== undefined) sorted[name] = normalise(value[name], name);
  return sorted;
}

function essence(definition: Record<string, Json>): Record<string, Json> {
  const parts: Record<string, Json> = {};
  for (const key of pinned) if (definition[key] !== undefined) parts[key] = normalise(definition[key], key);
  return parts;
}

/**
 * A hash of name, title, description, schemas and annotations. The same after a re-order of keys or a reflow of prose;
 * different after anything that changes what an agent reads or may send.
 */
export function fingerprint(definition: Record<string, Json>): string {
  return createHash('sha256')
    .update(JSON.stringify(essence(definition)))
    .digest('base64url')
    .slice(0, 27);
}

/** What changed between the accepted definition and the new one. */
export interface ChangeToAccept {
  /** The parts that differ, in one form, so that only what differs stands out. */
  before: Record<string, Json>;
  after: Record<string, Json>;
  /** Each difference in one line and in reading order; empty exactly when the fingerprints are equal. */
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
  if (isRecord(before) && isRecord(after)) {
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
