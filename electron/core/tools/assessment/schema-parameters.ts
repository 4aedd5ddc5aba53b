/** The parameters of a tool at any depth of its schema. */
import { isObject } from '../../../../shared/is-object.ts';
import { followPointer } from '../pointer.ts';
import { nameWords } from './words.ts';

export interface Parameter {
  name: string;
  /** The name in lowercase, without separators. */
  plain: string;
  schema: Record<string, unknown>;
  depth: number;
}

const maxDepth = 4;
const maxParameters = 400;
/** Maximum number of schema parts to visit, because references can multiply them. */
const maxVisits = 4_000;

export function takesText({ type, items }: Record<string, unknown>): boolean {
  if (type === undefined || type === 'string') return true;
  if (type === 'array') return !isObject(items) || items.type === undefined || items.type === 'string';
  return Array.isArray(type) && type.includes('string');
}

/** The parameters at any depth. References within the schema (`#/$defs/x`) are followed, because many generators write them. */
export function parametersOf(schema: unknown): Parameter[] {
  const found: Parameter[] = [];
  let visits = maxVisits;
  const visit = (inner: unknown, depth: number) => {
    visits -= 1;
    const at = followed(inner, schema);
    if (!isObject(at) || depth > maxDepth || visits < 0) return;
    if (isObject(at.properties))
      for (const name of Object.keys(at.properties)) {
        if (found.length >= maxParameters) return;
        const record = withFollowedParts(at.properties[name], schema);
        found.push({ name, plain: nameWords(name).join(''), schema: record, depth });
        visit(record, depth + 1);
        visit(record.items, depth + 1);
      }
    for (const key of ['anyOf', 'oneOf', 'allOf'])
      if (Array.isArray(at[key]))
        for (const option of at[key]) {
          if (visits < 0) return;
          visit(option, depth + 1);
        }
  };
  visit(schema, 0);
  return found;
}

/** Returns the schema merged with the definition that it refers to. */
function followed(schema: unknown, root: unknown): unknown {
  if (!isObject(schema) || typeof schema.$ref !== 'string') return schema;
  if (!/^#\/(?:\$defs|definitions)\/[^/]+$/.test(schema.$ref)) return schema;
  const target = followPointer(root, schema.$ref);
  return isObject(target) ? { ...target, ...schema } : schema;
}

/** Like `followed`, but also follows alternatives and items, which may define the choices. */
function withFollowedParts(schema: unknown, root: unknown): Record<string, unknown> {
  const record = followed(schema, root);
  if (!isObject(record)) return {};
  const result = { ...record };
  if (record.items !== undefined) result.items = followed(record.items, root);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(record[key])) result[key] = record[key].map((option) => followed(option, root));
  return result;
}
