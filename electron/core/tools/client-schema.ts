/**
 * The version of an input schema for a client with limits. It accepts everything that the original schema accepts. Calls
 * are still validated against the original.
 */
import { isObject } from '../../../shared/is-object.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { objectSchema } from './object-schema.ts';
import { followPointer } from './pointer.ts';

export interface SchemaLimits {
  parameterName?: RegExp;
  stringEnums?: true;
  noReferences?: true;
}

export interface ClientSchema {
  schema: JsonSchema;
  /** True if the version for the client allows values that the original does not. */
  isWider: boolean;
}

/**
 * Maximum number of parts that replaced references may add, because nested references multiply. Further references
 * allow everything.
 */
const maxReplaced = 20_000;

interface Context extends SchemaLimits {
  root: JsonSchema;
  /** True if definitions moved when the schema became a plain object; then only references to `$defs` still work. */
  isMoved: boolean;
  /** The references that are currently being replaced, to detect cycles. */
  open: readonly string[];
  /** `left`: the number of parts that references may still add. `isLossy`: whether allowed values were left out. */
  shared: { left: number; isLossy: boolean };
}

/** Returns the same schema if the client accepts it. */
export function clientSchema(schema: JsonSchema, limits: SchemaLimits): ClientSchema {
  const typed = schema.type === undefined ? { ...schema, type: 'object' } : schema;
  const plain = objectSchema(typed);
  const isMoved = plain !== typed;
  const shared = { left: maxReplaced, isLossy: false };
  const context: Context = { ...limits, root: schema, isMoved, open: [], shared };
  const widened = wider(plain, context) as JsonSchema;
  const named = limits.parameterName ? withoutOddNames(widened, limits.parameterName) : widened;
  const { $defs, definitions, ...rest } = named;
  const keepsReferences = ($defs ?? definitions) === undefined || JSON.stringify(rest).includes('"$ref"');
  return { schema: keepsReferences ? named : rest, isWider: isMoved || named !== widened || shared.isLossy };
}

/** Removes parameters whose names the client does not accept. An agent may still send them. */
function withoutOddNames(schema: JsonSchema, allowed: RegExp): JsonSchema {
  const { properties, required, additionalProperties, ...rest } = schema;
  if (!isObject(properties) || Object.keys(properties).every((name) => allowed.test(name))) return schema;
  const kept = (name: unknown) => allowed.test(String(name));
  const names = Array.isArray(required) ? required.filter(kept) : [];
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => kept(name))),
    ...(names.length > 0 && { required: names }),
  };
}

const schemaKeys = ['items', 'additionalProperties'];
const listKeys = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const mapKeys = ['properties', 'patternProperties', '$defs', 'definitions'];

/** Widens a schema for the client. Leaves `not` and `if` unchanged, because wider conditions make the schema narrower. */
function wider(schema: unknown, context: Context): unknown {
  if (schema === true) return {};
  if (!isObject(schema)) return schema;
  context.shared.left -= 1;
  const { $ref } = schema;
  if (
    typeof $ref === 'string' &&
    (context.noReferences || (context.isMoved && !/^#\/(?:\$defs|definitions)\//.test($ref)))
  )
    return replaced(schema, $ref, context);
  const result: JsonSchema = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(schema)) {
    const next = widerPart(key, value, context);
    if (next !== value) isChanged = true;
    if (next === undefined) continue;
    // Several widened alternatives may match at once, so `oneOf` becomes `anyOf`.
    const isOneOf = key === 'oneOf' && next !== value && schema.anyOf === undefined;
    if (key === 'oneOf' && next !== value && !isOneOf) continue;
    Object.defineProperty(result, isOneOf ? 'anyOf' : key, { value: next, ...ordinary });
  }
  const constant = context.stringEnums && typeof schema.const === 'string' && schema.enum === undefined;
  if (constant) result.enum = [schema.const];
  else if (hasLost(schema, result)) context.shared.isLossy = true;
  if (isArray(schema) && schema.items === undefined && schema.prefixItems === undefined) result.items = {};
  else if (!isChanged) return schema;
  return result;
}

const hasLost = (from: JsonSchema, to: JsonSchema) =>
  ['const', 'enum'].some((key) => from[key] !== undefined && to[key] === undefined);

/** A property called `__proto__` is data like any other. */
const ordinary = { enumerable: true, writable: true, configurable: true };

const isArray = ({ type }: JsonSchema) => [type].flat().includes('array');

function widerPart(key: string, value: unknown, context: Context): unknown {
  if (schemaKeys.includes(key)) return key === 'additionalProperties' && value === true ? true : wider(value, context);
  if (listKeys.includes(key) && Array.isArray(value)) return mapped(value, (item) => wider(item, context));
  if (mapKeys.includes(key) && isObject(value)) return mappedFields(value, (item) => wider(item, context));
  // Strict APIs reject the whole request for an empty `enum`.
  if (key === 'enum' && Array.isArray(value) && value.length === 0) return undefined;
  if (!context.stringEnums) return value;
  if (key === 'const') return undefined;
  if (key === 'enum' && Array.isArray(value) && !value.every((item) => typeof item === 'string')) return undefined;
  return value;
}

/** Replaces a reference with its target, or with a schema that allows everything if the target contains itself. */
function replaced({ $ref: _, ...beside }: JsonSchema, reference: string, context: Context): JsonSchema {
  const { description } = beside;
  const target =
    context.open.includes(reference) || context.shared.left < 0 ? undefined : followPointer(context.root, reference);
  const inner = wider(target ?? {}, { ...context, open: [...context.open, reference] });
  const named = isObject(inner) ? inner : {};
  return description === undefined ? named : { ...named, description };
}

function mapped(list: unknown[], change: (item: unknown) => unknown): unknown[] {
  const next = list.map(change);
  return next.every((item, at) => item === list[at]) ? list : next;
}

function mappedFields(fields: Record<string, unknown>, change: (item: unknown) => unknown): Record<string, unknown> {
  const next = Object.entries(fields).map(([name, item]) => [name, change(item)] as const);
  return next.every(([name, item]) => item === fields[name]) ? fields : Object.fromEntries(next);
}
