/** Decides whether a JSON Schema is usable: its structure, its references, and its size with references expanded. */
import { isObject } from '../../../../shared/is-object.ts';
import { followPointer } from '../pointer.ts';

type Schema = Record<string, unknown>;

/** Maximum size with every local `$ref` expanded, which a hostile schema can increase exponentially. */
const maxExpanded = 20_000;

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const oneSchema = [
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
];
const listOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapOfSchemas = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** The problems of an input schema, each with its location; empty if the schema is usable. */
export function schemaProblems(schema: unknown): string[] {
  if (schema === undefined) return ['it has no inputSchema'];
  if (!isObject(schema)) return ['its inputSchema is not an object'];
  // Several servers omit the type if there are no parameters.
  if (schema.type !== undefined && schema.type !== 'object')
    return [`its inputSchema has the type ${JSON.stringify(schema.type)} instead of "object"`];
  const problems: string[] = [];
  checkSchema(schema, 'inputSchema', schema, problems);
  if (problems.length === 0 && endless(schema)) problems.push('its inputSchema refers to itself endlessly');
  if (problems.length === 0 && expandedSize(schema, schema, new Map()) > maxExpanded)
    problems.push(`its inputSchema grows beyond ${maxExpanded} parts when its references are followed`);
  return problems.slice(0, 5);
}

function checkSchema(schema: unknown, path: string, root: Schema, problems: string[]): void {
  if (typeof schema === 'boolean') return;
  const wrong = (what: string) => problems.push(`${path} ${what}`);
  if (!isObject(schema)) return void wrong(`is ${JSON.stringify(schema)?.slice(0, 40)} instead of a schema`);
  const { type, required, enum: choices, pattern, $ref } = schema;
  const named = Array.isArray(type) ? type : type === undefined ? [] : [type];
  for (const name of named) if (!types.has(name as string)) wrong(`has the unknown type ${JSON.stringify(name)}`);
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string')))
    wrong('has a "required" that is not a list of names');
  if (choices !== undefined && !Array.isArray(choices)) wrong('has an "enum" that is not a list');
  if (pattern !== undefined && typeof pattern !== 'string') wrong('has a "pattern" that is not a string');
  for (const reference of [$ref, schema.$dynamicRef]) {
    if (reference === undefined) continue;
    if (typeof reference !== 'string') wrong('has a $ref that is not a string');
    else if (!reference.startsWith('#')) wrong(`points to another document (${reference.slice(0, 80)})`);
    else if (reference.startsWith('#/') && followPointer(root, reference) === undefined)
      wrong(`points to ${reference.slice(0, 80)}, which does not exist`);
  }
  for (const [at, inner] of innerSchemas(schema, wrong)) checkSchema(inner, `${path}.${at}`, root, problems);
}

/** The schemas directly inside a schema, with their locations. `wrong` receives malformed parts. */
function* innerSchemas(schema: Schema, wrong: (what: string) => void = () => {}): Generator<[string, unknown]> {
  for (const key of oneSchema) if (schema[key] !== undefined) yield [key, schema[key]];
  // Before 2020-12 `items` may be a list.
  if (Array.isArray(schema.items)) for (const [index, item] of schema.items.entries()) yield [`items.${index}`, item];
  else if (schema.items !== undefined) yield ['items', schema.items];
  for (const key of listOfSchemas) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list)) wrong(`has a "${key}" that is not a list`);
    else for (const [index, item] of list.entries()) yield [`${key}.${index}`, item];
  }
  for (const key of mapOfSchemas) {
    const map = schema[key];
    if (map === undefined) continue;
    if (!isObject(map)) wrong(`has "${key}" that are not an object`);
    else for (const [name, item] of Object.entries(map)) yield [`${key}.${name}`, item];
  }
}

/** The schemas that a schema references. */
function targets(schema: Schema, root: Schema): unknown[] {
  const references = [schema.$ref, schema.$dynamicRef].filter((reference) => typeof reference === 'string');
  return references.map((reference) =>
    reference.startsWith('#/') ? followPointer(root, reference) : anchored(root, reference.slice(1)),
  );
}

const samePlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** Whether checking a value would endlessly return to the same schema with the same value. */
function endless(schema: Schema): boolean {
  const states = new Map<unknown, 'open' | 'done'>();
  // Schemas for other values (a property, an item) are checked later, when no schema is open.
  const later: [schema: unknown, root: Schema][] = [[schema, schema]];
  const loops = (at: unknown, outer: Schema): boolean => {
    if (!isObject(at)) return false;
    const state = states.get(at);
    if (state) return state === 'open';
    const root = typeof at.$id === 'string' ? at : outer;
    states.set(at, 'open');
    for (const [place, inner] of innerSchemas(at)) {
      if (!samePlace.has(place.split('.')[0] as string)) later.push([inner, root]);
      else if (loops(inner, root)) return true;
    }
    if (targets(at, root).some((target) => loops(target, root))) return true;
    states.set(at, 'done');
    return false;
  };
  for (let next = later.pop(); next; next = later.pop()) if (loops(...next)) return true;
  return false;
}

/** The schema whose `$anchor` is `name`; the document itself for an empty name. */
function anchored(schema: unknown, name: string): unknown {
  if (!isObject(schema)) return undefined;
  if (name === '' || schema.$anchor === name || schema.$dynamicAnchor === name) return schema;
  for (const [, inner] of innerSchemas(schema)) {
    const found = anchored(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The number of schemas if each local reference is expanded; a recursive reference counts once. */
function expandedSize(schema: unknown, outer: Schema, known: Map<unknown, number>): number {
  if (!isObject(schema)) return 1;
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, 1);
  // Pointers inside an embedded document with its own $id start at that document.
  const root = typeof schema.$id === 'string' ? schema : outer;
  let size = 1;
  for (const [, inner] of innerSchemas(schema)) size += expandedSize(inner, root, known);
  for (const target of targets(schema, root)) size += expandedSize(target, root, known);
  known.set(schema, size);
  return size;
}
