/**
 * Formats a JSON Schema in a short type notation. Parts that the notation cannot express stay JSON, so the meaning is
 * preserved.
 */
import { isObject } from '../../../../shared/is-object.ts';
import type { JsonSchema } from '../../../../shared/model/tool.ts';
import { textFrom } from '../../../../shared/text-from.ts';

/** Keywords that do not affect which values are allowed. */
const silent = new Set(['title', 'description', 'default', 'examples', '$schema', '$id', '$comment', 'deprecated']);

/** `owner, repo, labels?`: names only, required ones first; `?` marks optional ones. */
export function signature(schema: JsonSchema, limit = Number.POSITIVE_INFINITY): string {
  const all = [...parametersOf(schema)].sort((a, b) => Number(b.required) - Number(a.required));
  const shown = all.slice(0, limit).map(({ name, required }) => (required ? name : `${name}?`));
  if (all.length > shown.length) shown.push('…');
  return shown.join(', ');
}

export interface Parameter {
  name: string;
  required: boolean;
  schema: JsonSchema | boolean;
}

export function parametersOf(schema: JsonSchema): Parameter[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema | boolean>;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.has(name),
    schema: property,
  }));
}

/** The schema's keywords other than its parameters; undefined if it has only parameters. */
export function restOf(schema: JsonSchema): JsonSchema | undefined {
  const rest = Object.entries(schema).filter(
    ([key, value]) =>
      !silent.has(key) &&
      key !== 'properties' &&
      key !== 'required' &&
      !(key === 'type' && value === 'object') &&
      // Whether the object is open or closed does not matter to an agent that fills in the listed parameters.
      !(key === 'additionalProperties' && typeof value === 'boolean'),
  );
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

/** `string`, `"a"|"b"`, `integer 1..10`, `string[]`, `{ a: string, b?: number }`, or the schema as JSON. */
export function typeText(schema: JsonSchema | boolean): string {
  if (schema === true) return 'any';
  if (schema === false) return 'never';
  return notation(schema) ?? JSON.stringify(withoutSilent(schema));
}

/** `inUnion`: only if the text can stand next to a bar, so that no text is built in vain at each level. */
function notation(schema: JsonSchema, inUnion = false): string | undefined {
  const { type } = schema;
  const keys = Object.keys(schema).filter((key) => !silent.has(key));
  const only = (...known: string[]) => keys.every((key) => known.includes(key));
  if (keys.length === 0) return 'any';
  if (Array.isArray(schema.enum) && only('type', 'enum')) return valuesText(schema.enum, type);
  if ('const' in schema && only('type', 'const')) return valuesText([schema.const], type);
  if (Array.isArray(schema.anyOf) && only('anyOf')) return union(schema.anyOf as (JsonSchema | boolean)[]);
  if (Array.isArray(type)) return union([...new Set(type)].map((one) => ({ ...schema, type: one })));
  switch (type) {
    case 'string':
      return only('type', 'format', 'pattern', 'minLength', 'maxLength') ? stringText(schema) : undefined;
    case 'number':
    case 'integer':
      return only('type', 'minimum', 'maximum') ? `${type}${rangeText(schema.minimum, schema.maximum)}` : undefined;
    case 'boolean':
    case 'null':
      return only('type') ? type : undefined;
    case 'array':
      return only('type', 'items', 'minItems', 'maxItems') ? arrayText(schema, inUnion) : undefined;
    case 'object':
      return only('type', 'properties', 'required', 'additionalProperties') ? objectText(schema, inUnion) : undefined;
    default:
      return undefined;
  }
}

/** The values that also match the type. */
function valuesText(values: unknown[], type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  const fitting = type === undefined ? values : values.filter((value) => types.some((one) => isOfType(value, one)));
  return fitting.length > 0 ? fitting.map((value) => JSON.stringify(value)).join('|') : 'never';
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function union(members: (JsonSchema | boolean)[]): string | undefined {
  const texts = new Set<string>();
  for (const member of members) {
    const text = memberText(member);
    // Next to a bar, a member with a range or an array of alternatives would be ambiguous.
    if (text === undefined || !/^[\w"|\-[\]]+$/.test(text)) return undefined;
    texts.add(text);
  }
  return [...texts].join('|');
}

const memberText = (schema: JsonSchema | boolean) =>
  typeof schema === 'boolean' ? typeText(schema) : notation(schema, true);

function stringText(schema: JsonSchema): string {
  const length = rangeText(schema.minLength, schema.maxLength);
  const format = schema.format === undefined ? '' : ` ${textFrom(schema.format)}`;
  const pattern = schema.pattern === undefined ? '' : ` /${textFrom(schema.pattern)}/`;
  return `string${format}${length && ` length${length}`}${pattern}`;
}

function rangeText(from: unknown, to: unknown): string {
  if (from === undefined && to === undefined) return '';
  if (to === undefined) return ` ≥${textFrom(from)}`;
  if (from === undefined) return ` ≤${textFrom(to)}`;
  return ` ${textFrom(from)}..${textFrom(to)}`;
}

function arrayText(schema: JsonSchema, inUnion: boolean): string | undefined {
  const { items = true } = schema;
  if (Array.isArray(items)) return undefined;
  const item = (inUnion ? memberText : typeText)(items as JsonSchema | boolean);
  if (item === undefined) return undefined;
  const count = rangeText(schema.minItems, schema.maxItems);
  const [from, to] = [item.indexOf('{'), item.lastIndexOf('}')];
  const outside = from >= 0 && to > from ? item.slice(0, from) + item.slice(to + 1) : item;
  return `${/^[\w{]/.test(item) && !/[\s|]/.test(outside) ? item : `(${item})`}[]${count && ` items${count}`}`;
}

function objectText(schema: JsonSchema, inUnion: boolean): string | undefined {
  const parameters = parametersOf(schema);
  if (inUnion && parameters.length > 0) return undefined;
  const extra = schema.additionalProperties;
  if (extra !== undefined && typeof extra !== 'boolean') return undefined;
  const names = new Set(parameters.map(({ name }) => name));
  const unlisted = (schema.required as string[] | undefined)?.some((name) => !names.has(name));
  if (unlisted) return undefined;
  if (parameters.length === 0) return extra === false ? '{}' : 'object';
  const fields = parameters.map(({ name, required, schema }) => {
    const note =
      typeof schema === 'object' && typeof schema.description === 'string' ? ` /* ${schema.description} */` : '';
    return `${name}${required ? '' : '?'}: ${typeText(schema)}${note}`;
  });
  return `{ ${fields.join(', ')}${extra === true ? ', …' : ''} }`;
}

function withoutSilent(schema: JsonSchema): JsonSchema {
  const { title, $schema, $comment, ...rest } = schema;
  return rest;
}
