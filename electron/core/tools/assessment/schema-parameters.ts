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

/** More parameters than any real tool has. */
export const maxParameters = 2_000;
/** Maximum number of choices in all parameters together, because references can multiply them. */
const maxChoices = 4_000;
/** Maximum length of a chain of references. */
const maxChain = 20;

export function takesText({ type, items }: Record<string, unknown>): boolean {
  if (type === undefined || type === 'string') return true;
  if (type === 'array') return !isObject(items) || items.type === undefined || items.type === 'string';
  return Array.isArray(type) && type.includes('string');
}

/** Keywords whose schemas describe the value itself (the first two lists) or its parts (the other two). */
const alternatives = ['anyOf', 'oneOf', 'allOf'];
const conditional = ['if', 'then', 'else', 'dependentSchemas'];
const parts = ['items', 'prefixItems', 'contains', 'additionalItems', 'unevaluatedItems'];
const unnamed = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];

/**
 * The parameters at any depth, up to `maxParameters`. References within the schema (`#/$defs/x`) are followed, because many
 * generators write them. Each part of the schema is read once, because references can multiply them.
 */
export function parametersOf(schema: unknown): Parameter[] {
  const found: Parameter[] = [];
  const seen = new Set<unknown>();
  let left = maxChoices;
  const limited = (list: unknown[]) => {
    left -= list.length;
    return left < 0 ? [] : list;
  };
  const visitAll = (inner: unknown, depth: number) => {
    if (!isObject(inner) && !Array.isArray(inner)) return;
    for (const one of Object.values(inner)) visit(one, depth);
  };
  const visit = (at: unknown, depth: number) => {
    if (!isObject(at) || seen.has(at) || found.length >= maxParameters) return;
    seen.add(at);
    for (const [name, inner] of Object.entries(isObject(at.properties) ? at.properties : {})) {
      if (found.length >= maxParameters) return;
      const record = withFollowedParts(inner, schema, limited);
      found.push({ name, plain: nameWords(name).join(''), schema: record, depth, isCut: left < 0 });
      visit(inner, depth + 1);
    }
    if (typeof at.$ref === 'string') visitTarget(at.$ref, depth);
    for (const key of parts) {
      visit(at[key], depth);
      if (Array.isArray(at[key])) visitAll(at[key], depth);
    }
    for (const key of alternatives) visitAll(at[key], depth + 1);
    for (const key of [...conditional, ...unnamed]) {
      visit(at[key], depth + 1);
      visitAll(at[key], depth + 1);
    }
  };
  /** If the reference is not a pointer (for example an anchor), visits all definitions. */
  const visitTarget = (ref: string, depth: number) => {
    const target = followPointer(schema, ref);
    if (target !== undefined) visit(target, depth);
    else if (isObject(schema)) for (const key of ['$defs', 'definitions']) visitAll(schema[key], depth + 1);
  };
  visit(schema, 0);
  return found;
}

/** Returns the schema merged with the definitions that it refers to. */
function followed(schema: unknown, root: unknown): unknown {
  let result = schema;
  for (let left = maxChain; left > 0 && isObject(result) && typeof result.$ref === 'string'; left -= 1) {
    const { $ref, ...own } = result;
    const target = $ref === '#' ? undefined : followPointer(root, $ref as string);
    if (!isObject(target)) return result;
    result = { ...target, ...own };
  }
  return result;
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
  const { enum: choices, const: only } = schema;
  return {
    ...schema,
    ...(Array.isArray(choices) && { enum: limited(choices).map(startOf) }),
    ...(only !== undefined && { const: startOf(only) }),
  };
}

/** In characters. Names of choices are far shorter, and reading a long one would hold Core. */
const maxChoice = 2_000;
const startOf = (choice: unknown) => (typeof choice === 'string' ? choice.slice(0, maxChoice) : choice);
