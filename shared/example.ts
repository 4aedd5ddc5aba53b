/** Builds example arguments from a tool's input schema: its own examples, defaults and first choices, and placeholder strings. */
import type { JsonSchema } from './model/tool.ts';

type Schema = JsonSchema | boolean;
/** Returns the placeholder for a value that the schema does not describe. */
export type StandIn = (name: string, schema: Schema) => string;

const deepest = 4;

/** Example arguments for the required parameters only, or for all parameters if `everything` is set. */
export function exampleOf(
  schema: JsonSchema,
  standIn: StandIn,
  { everything = false, depth = 0 } = {},
): Record<string, unknown> {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const chosen = properties.filter(([name]) => everything || required.has(name));
  return Object.fromEntries(chosen.map(([name, property]) => [name, exampleValue(name, property, standIn, depth)]));
}

function exampleValue(name: string, schema: Schema, standIn: StandIn, depth: number): unknown {
  if (typeof schema === 'boolean' || depth > deepest) return standIn(name, schema);
  const [given] = Array.isArray(schema.examples) ? schema.examples : [];
  if (given !== undefined) return given;
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [variant] = (schema.anyOf ?? schema.oneOf ?? []) as Schema[];
  if (variant !== undefined) return exampleValue(name, variant, standIn, depth + 1);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return schema.items === undefined || Array.isArray(schema.items)
        ? []
        : [exampleValue(name, schema.items as Schema, standIn, depth + 1)];
    case 'object':
      return exampleOf(schema, standIn, { depth: depth + 1 });
    default:
      return standIn(name, schema);
  }
}
