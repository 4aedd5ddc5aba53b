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
  /** True if not all choices were read. */
  isCut: boolean;
}

const maxDepth = 4;
const maxParameters = 400;
/** Maximum number of schema parts to visit, because references can multiply them. */
const maxVisits = 4_000;
/** Maximum number of choices of all parameters, because references can multiply them, too. */
const maxChoices = 4_000;

export function takesText({ type, items }: Record<string, unknown>): boolean {
  if (type === undefined || type === 'string') return true;
  if (type === 'array') return !isObject(items) || items.type === undefined || items.type === 'string';
  return Array.isArray(type) && type.includes('string');
}

/** The parameters at any depth. References within the schema (`#/$defs/x`) are followed, because many generators write them. */
export function parametersOf(schema: unknown): Parameter[] {
  const found: Parameter[] = [];
  let visits = maxVisits;
  let left = maxChoices;
  const limited = (list: unknown[]) => {
    left -= list.length;
    return left < 0 ? [] : list;
  };
  const visit = (inner: unknown, depth: number) => {
    visits -= 1;
    const at = followed(inner, schema);
    if (!isObject(at) || depth > maxDepth || visits < 0) return;
    if (isObject(at.properties))
      for (const name of Object.keys(at.properties)) {
        if (found.length >= maxParameters) return;
        const record = withFollowedParts(at.properties[name], schema, limited);
        found.push({ name, plain: nameWords(name).join(''), schema: record, depth, isCut: left < 0 });
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

/** Returns the list, or an empty one if all lists together are too long. */
type Limit = (list: unknown[]) => unknown[];

/** Like `followed`, but also follows alternatives and items, which may define the choices, and limits their number. */
function withFollowedParts(schema: unknown, root: unknown, limited: Limit): Record<string, unknown> {
  const record = withFollowedOptions(schema, root, limited);
  if (record.items !== undefined) record.items = withFollowedOptions(record.items, root, limited);
  return record;
}

function withFollowedOptions(schema: unknown, root: unknown, limited: Limit): Record<string, unknown> {
  const result = withLimitedChoices(followed(schema, root), limited);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(result[key]))
      result[key] = limited(result[key]).map((option) => withLimitedChoices(followed(option, root), limited));
  return result;
}

function withLimitedChoices(schema: unknown, limited: Limit): Record<string, unknown> {
  if (!isObject(schema)) return {};
  return Array.isArray(schema.enum) ? { ...schema, enum: limited(schema.enum) } : { ...schema };
}
