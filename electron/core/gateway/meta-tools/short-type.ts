/** Formats a parameter's type in few tokens, without the limits that the server checks anyway. */
import type { JsonSchema } from '../../../../shared/model/tool.ts';
import { estimateShort } from '../../history/estimate-tokens.ts';
import { followPointer } from '../../tools/pointer.ts';
import { parametersOf } from './signature.ts';

type Schema = JsonSchema | boolean;

interface Detail {
  /** How many levels of objects show their fields. */
  depth: number;
  /** Fields of an object, or values of an enumeration. */
  most: number;
}

const maxText = 1_000;
/** A text of so many types is too long. That of a schema that branches at each level would have no end. */
const maxTypes = 2_000;

const details: Detail[] = [
  { depth: 2, most: 12 },
  { depth: 1, most: 12 },
  { depth: 1, most: 5 },
  { depth: 1, most: 3 },
];

/** The most detailed text of at most `limit` tokens; the type's name if none fits. `$ref` refers to parts of `root`. */
export function shortType(schema: Schema, root: JsonSchema, limit: number): string {
  for (const detail of details) {
    const text = typeText(schema, rootOf(root), detail);
    if (estimateShort(text) <= limit) return text;
  }
  return typeText(schema, rootOf(root), { depth: 0, most: 1 }).slice(0, maxText);
}

/** The whole schema, how many types the text may still show, and the parts around the current one. */
interface Root {
  schema: JsonSchema;
  left: number;
  open: Set<Schema>;
}

const rootOf = (schema: JsonSchema): Root => ({ schema, left: maxTypes, open: new Set() });

/** A part within itself is shown as `any`. */
function typeText(schema: Schema, root: Root, detail: Detail): string {
  const target = resolved(schema, root.schema);
  root.left -= 1;
  if (root.left < 0 || root.open.has(target)) return 'any';
  root.open.add(target);
  const text = textOf(target, root, detail);
  root.open.delete(target);
  return text;
}

function textOf(target: Schema, root: Root, detail: Detail): string {
  if (typeof target === 'boolean') return target ? 'any' : 'never';
  if (Array.isArray(target.enum)) return valuesText(target.enum, detail.most);
  if (target.const !== undefined) return valuesText([target.const], 1);
  const variants = target.anyOf ?? target.oneOf;
  if (Array.isArray(variants) && variants.length > 0) {
    const texts = [...new Set(variants.slice(0, 8).map((one) => typeText(one as Schema, root, detail)))];
    return texts.length <= detail.most ? texts.join('|') : `${texts.slice(0, detail.most).join('|')}|…`;
  }
  if (Array.isArray(target.type)) return [...new Set(target.type)].join('|');
  if (target.type === 'array') {
    const item = typeText((target.items as Schema | undefined) ?? true, root, detail);
    return /[|\s]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (target.type === 'object' || target.properties !== undefined) return objectText(target, root, detail);
  if (target.type === 'string' && typeof target.format === 'string') return `string ${target.format}`;
  return typeof target.type === 'string' ? target.type : 'any';
}

function objectText(schema: JsonSchema, root: Root, { depth, most }: Detail): string {
  const fields = parametersOf(schema).sort((a, b) => Number(b.required) - Number(a.required));
  root.left -= fields.length;
  if (depth === 0 || fields.length === 0) return 'object';
  const texts = fields.slice(0, most).map((field) => {
    const type = typeText(field.schema, root, { depth: depth - 1, most });
    return `${field.name}${field.required ? '' : '?'}: ${type}`;
  });
  return `{ ${texts.join(', ')}${fields.length > most ? ', …' : ''} }`;
}

function valuesText(values: unknown[], most: number): string {
  const shown = values.slice(0, most).map((value) => JSON.stringify(value));
  return `${shown.join('|')}${values.length > most ? '|…' : ''}`;
}

/** Follows references. A reference that cannot be resolved, or a cycle of references, allows anything. */
function resolved(schema: Schema, root: JsonSchema): Schema {
  let target: unknown = schema;
  for (let steps = 0; steps < 8; steps += 1) {
    const reference = typeof target === 'object' && target !== null ? (target as JsonSchema).$ref : undefined;
    if (typeof reference !== 'string')
      return typeof target === 'object' && target !== null ? (target as JsonSchema) : true;
    target = followPointer(root, reference);
  }
  return true;
}
