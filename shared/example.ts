/** Builds example arguments from a tool's input schema: its own examples, defaults and first choices, and likely strings. */
import { exampleString } from './example-string.ts';
import type { JsonSchema } from './model/tool.ts';

type Schema = JsonSchema | boolean;

const deepest = 4;

/** Example arguments for the required parameters only, or for all parameters if `everything` is set. */
export function exampleOf(schema: JsonSchema, { everything = false, depth = 0 } = {}): Record<string, unknown> {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const chosen = properties.filter(([name]) => everything || required.has(name));
  return Object.fromEntries(chosen.map(([name, property]) => [name, exampleValue(name, property, depth)]));
}

function exampleValue(name: string, schema: Schema, depth: number): unknown {
  if (typeof schema === 'boolean' || depth > deepest) return exampleString(name, {});
  const [given] = Array.isArray(schema.examples) ? schema.examples : [];
  if (given !== undefined) return given;
  if (schema.default !== undefined && schema.default !== '') return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [variant] = (schema.anyOf ?? schema.oneOf ?? []) as Schema[];
  if (variant !== undefined) return exampleValue(name, withDescription(variant, schema), depth + 1);
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
        : [exampleValue(name, withDescription(schema.items as Schema, schema), depth + 1)];
    case 'object':
      return exampleOf(schema, { depth: depth + 1 });
    default:
      return exampleString(name, schema);
  }
}

/** The description of a list or a choice often shows what its items look like. */
function withDescription(inner: Schema, { description }: JsonSchema): Schema {
  return typeof inner === 'boolean' || inner.description !== undefined ? inner : { ...inner, description };
}
