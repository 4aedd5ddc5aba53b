/**
 * Makes an input schema accept everything that the server may accept. Servers fill in defaults, ignore unknown
 * properties and often enforce only part of their schema, so our validation must not be stricter than theirs.
 */
import { isObject } from '../../../shared/is-object.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';

const schemaKeys = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'then',
  'else',
  'unevaluatedItems',
]);
const mapKeys = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * Returns a relaxed copy of `schema`. Leaves everything below `not` and `if` unchanged, because relaxing a condition would
 * make the schema stricter.
 */
export function relaxed(schema: JsonSchema): JsonSchema {
  const result: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'required') result.required = requiredOf(schema);
    else if (key === 'additionalProperties' && value === false) continue;
    else if (key === 'unevaluatedProperties') continue;
    // Without the limits on properties, several alternatives may match.
    else if (key === 'oneOf' && Array.isArray(value)) addAlternatives(result, value.map(inner));
    else if (key === 'anyOf' && Array.isArray(value)) addAlternatives(result, value.map(inner));
    else if (schemaKeys.has(key)) set(result, key, Array.isArray(value) ? value.map(inner) : inner(value));
    else if (key === 'allOf' && Array.isArray(value))
      set(result, key, [...(Array.isArray(result.allOf) ? result.allOf : []), ...value.map(inner)]);
    else if (key === 'prefixItems' && Array.isArray(value)) set(result, key, value.map(inner));
    else if (mapKeys.has(key) && isObject(value)) set(result, key, mapOf(value));
    else set(result, key, value);
  }
  return result;
}

function requiredOf({ required, properties }: JsonSchema): unknown {
  if (!Array.isArray(required) || !isObject(properties)) return required;
  return required.filter((name) => {
    const property = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !(isObject(property) && 'default' in property);
  });
}

/** A schema may have both `oneOf` and `anyOf`, so each becomes a separate set of alternatives. */
function addAlternatives(result: JsonSchema, alternatives: unknown[]): void {
  if (result.anyOf === undefined) result.anyOf = alternatives;
  else result.allOf = [...(Array.isArray(result.allOf) ? result.allOf : []), { anyOf: alternatives }];
}

function mapOf(map: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(map)) set(result, name, inner(value));
  return result;
}

function inner(value: unknown): unknown {
  return isObject(value) ? relaxed(value) : value;
}

/** A property called `__proto__` is data like any other. */
function set(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
