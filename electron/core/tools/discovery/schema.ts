/** Decides whether a JSON Schema is usable: its structure, its references, and its size with references expanded. */
import { isObject } from '../../../../shared/is-object.ts';
import { followPointer } from '../pointer.ts';

type Schema = Record<string, unknown>;

/** Maximum size with every local `$ref` expanded, which a hostile schema can increase exponentially. */
const maxExpanded = 20_000;
/** Maximum length of a chain of references, which the code follows recursively. */
const maxChain = 500;

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** The keywords that contain schemas. */
const kinds = new Map<string, 'one' | 'list' | 'map'>([
  ...[
    'additionalProperties',
    'propertyNames',
    'contains',
    'not',
    'if',
    'then',
    'else',
    'unevaluatedItems',
    'unevaluatedProperties',
    'additionalItems',
    'contentSchema',
    'items',
  ].map((key) => [key, 'one'] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => [key, 'list'] as const),
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (key) => [key, 'map'] as const,
  ),
]);

/** The problems of an input schema, each with its location; empty if the schema is usable. */
export function schemaProblems(schema: unknown): string[] {
  if (schema === undefined) return ['it has no inputSchema'];
  if (!isObject(schema)) return ['its inputSchema is not an object'];
  // Several servers omit the type if there are no parameters.
  if (schema.type !== undefined && schema.type !== 'object')
    return [`its inputSchema has the type ${JSON.stringify(schema.type)} instead of "object"`];
  const found: Found = { problems: [], parts: 0, refers: false };
  checkSchema(schema, 'inputSchema', schema, found);
  const { problems } = found;
  if (problems.length > 0) return problems.slice(0, 5);
  if (!found.refers && found.parts <= maxExpanded) return [];
  const anchors = new Map<Schema, Anchors>();
  if (endless(schema, anchors)) problems.push('its inputSchema refers to itself endlessly');
  else if (expandedSize(schema, { outer: schema, known: new Map(), anchors, chain: 0 }) > maxExpanded)
    problems.push(`its inputSchema grows beyond ${maxExpanded} parts when its references are followed`);
  return problems.slice(0, 5);
}

interface Found {
  problems: string[];
  /** The number of schemas. */
  parts: number;
  refers: boolean;
}

function checkSchema(schema: unknown, path: string, root: Schema, found: Found): void {
  found.parts += 1;
  if (typeof schema === 'boolean') return;
  const wrong = (what: string) => found.problems.push(`${path} ${what}`);
  if (!isObject(schema)) return void wrong(`is ${JSON.stringify(schema)?.slice(0, 40)} instead of a schema`);
  const { type, required, enum: choices, pattern, $ref } = schema;
  const named = Array.isArray(type) ? type : type === undefined ? [] : [type];
  for (const name of named) if (!types.has(name as string)) wrong(`has the unknown type ${JSON.stringify(name)}`);
  // At the top, a null is dropped later (`wellFormedTool`).
  const isAbsent = required === undefined || (required === null && schema === root);
  if (!isAbsent && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    wrong('has a "required" that is not a list of names');
  if (choices !== undefined && !Array.isArray(choices)) wrong('has an "enum" that is not a list');
  if (pattern !== undefined && typeof pattern !== 'string') wrong('has a "pattern" that is not a string');
  for (const reference of [$ref, schema.$dynamicRef]) {
    if (reference === undefined) continue;
    found.refers = true;
    if (typeof reference !== 'string') wrong('has a $ref that is not a string');
    else if (!reference.startsWith('#')) wrong(`points to another document (${reference.slice(0, 80)})`);
    else if (reference.startsWith('#/') && followPointer(root, reference) === undefined)
      wrong(`points to ${reference.slice(0, 80)}, which does not exist`);
  }
  for (const [at, inner] of innerSchemas(schema, wrong)) checkSchema(inner, `${path}.${at}`, root, found);
}

/** The schemas directly inside a schema, with their locations. `wrong` receives malformed parts. */
function* innerSchemas(schema: Schema, wrong: (what: string) => void = () => {}): Generator<[string, unknown]> {
  for (const key of Object.keys(schema)) {
    const kind = kinds.get(key);
    const value = schema[key];
    if (kind === undefined || value === undefined) continue;
    // Before 2020-12, `items` may be a list.
    if (kind === 'list' || (key === 'items' && Array.isArray(value))) {
      if (!Array.isArray(value)) wrong(`has a "${key}" that is not a list`);
      else for (const [index, item] of value.entries()) yield [`${key}.${index}`, item];
    } else if (kind === 'map') {
      if (!isObject(value)) wrong(`has "${key}" that are not an object`);
      else for (const name of Object.keys(value)) yield [`${key}.${name}`, value[name]];
    } else yield [key, value];
  }
}

/** The schemas that a schema references. */
function targets(schema: Schema, root: Schema, known: Map<Schema, Anchors>): unknown[] {
  const references = [schema.$ref, schema.$dynamicRef].filter((reference) => typeof reference === 'string');
  return references.map((reference) => {
    if (reference.startsWith('#/')) return followPointer(root, reference);
    const anchors = known.get(root) ?? addAnchors(root, new Map([['', root]]));
    known.set(root, anchors);
    return anchors.get(reference.slice(1));
  });
}

/** The schemas of a document by their anchors; the document itself has the empty name. */
type Anchors = Map<unknown, unknown>;

/** If several schemas have the same name, uses the first. */
function addAnchors(schema: unknown, anchors: Anchors): Anchors {
  if (!isObject(schema)) return anchors;
  for (const name of [schema.$anchor, schema.$dynamicAnchor]) if (!anchors.has(name)) anchors.set(name, schema);
  for (const [, inner] of innerSchemas(schema)) addAnchors(inner, anchors);
  return anchors;
}

const samePlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** Whether validation of a value would recurse into the same schema with the same value forever, or nearly forever. */
function endless(schema: Schema, anchors: Map<Schema, Anchors>): boolean {
  const states = new Map<unknown, 'open' | 'done'>();
  // Check schemas for other values (a property, an item) later, when no schema is open.
  const later: [schema: unknown, root: Schema][] = [[schema, schema]];
  const loops = (at: unknown, outer: Schema, chain = 0): boolean => {
    if (!isObject(at)) return false;
    if (chain > maxChain) return true;
    const state = states.get(at);
    if (state) return state === 'open';
    const root = typeof at.$id === 'string' ? at : outer;
    states.set(at, 'open');
    for (const [place, inner] of innerSchemas(at)) {
      if (!samePlace.has(place.split('.')[0] as string)) later.push([inner, root]);
      else if (loops(inner, root, chain)) return true;
    }
    if (targets(at, root, anchors).some((target) => loops(target, root, chain + 1))) return true;
    states.set(at, 'done');
    return false;
  };
  for (let next = later.pop(); next; next = later.pop()) if (loops(...next)) return true;
  return false;
}

interface Expansion {
  outer: Schema;
  known: Map<unknown, number>;
  anchors: Map<Schema, Anchors>;
  /** The number of references that were followed to get here. */
  chain: number;
}

/** The number of schemas with each local reference expanded. A recursive reference counts once. */
function expandedSize(schema: unknown, expansion: Expansion): number {
  if (!isObject(schema)) return 1;
  const { outer, known, anchors, chain } = expansion;
  const before = known.get(schema);
  if (before !== undefined) return before;
  if (chain > maxChain) return maxExpanded + 1;
  known.set(schema, 1);
  // Pointers inside an embedded document with its own $id start at that document.
  const root = typeof schema.$id === 'string' ? schema : outer;
  let size = 1;
  for (const [, inner] of innerSchemas(schema)) size += expandedSize(inner, { ...expansion, outer: root });
  for (const target of targets(schema, root, anchors))
    size += expandedSize(target, { outer: root, known, anchors, chain: chain + 1 });
  known.set(schema, size);
  return size;
}
