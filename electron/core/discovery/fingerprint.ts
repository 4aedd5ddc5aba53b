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

/** One difference between two definitions, ready to show: `text` says it whole, in one line. */
export interface Change {
  /** For example `description` or `inputSchema.properties.path.type`. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: string;
  after?: string;
  text: string;
}

/**
 * What changed between the accepted definition and the new one, in reading order. Empty exactly when the fingerprints
 * are equal.
 */
export function changeToAccept(before: Record<string, Json>, after: Record<string, Json>): Change[] {
  const changes: Change[] = [];
  compare(essence(before), essence(after), '', changes);
  return changes;
}

function compare(before: Json, after: Json, path: string, changes: Change[]): void {
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[key], after[key], path === '' ? key : `${path}.${key}`, changes);
    return;
  }
  const [old, now] = [show(before), show(after)];
  if (old === now) return;
  if (old === undefined) changes.push({ path, kind: 'added', after: now as string, text: `${path} was added: ${now}` });
  else if (now === undefined) changes.push({ path, kind: 'removed', before: old, text: `${path} was removed: ${old}` });
  else changes.push({ path, kind: 'changed', before: old, after: now, text: `${path} changed from ${old} to ${now}` });
}

function show(value: Json): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/**
 * Whether a tool may run under what the person accepted before. `new`: never seen, trusted on first use. `accepted`: as
 * before. `held`: changed, runs again only after the person accepts the changes.
 */
export function pinState(
  pin: { fingerprint: string; definition: Record<string, Json> } | undefined,
  tool: { fingerprint: string; definition: Record<string, Json> },
): { state: 'new' | 'accepted' } | { state: 'held'; changes: Change[] } {
  if (!pin) return { state: 'new' };
  if (pin.fingerprint === tool.fingerprint) return { state: 'accepted' };
  const changes = changeToAccept(pin.definition, tool.definition);
  // No difference to show means that only the way of hashing changed, in an update of Gatehouse.
  return changes.length === 0 ? { state: 'accepted' } : { state: 'held', changes };
}
