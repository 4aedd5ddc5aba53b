/** A form for any tool: fields, lists and groups of fields. The user enters everything else as JSON. */
import { enteredAnswer, fieldsFromSchema, originalAnswer, validateField } from '../../shared/form.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Field } from '../../shared/model/question.ts';
import { t } from '../text.tsx';

/** One property of an object, or one item of a list. */
export type FormField =
  | { kind: 'field'; field: Field }
  /** Entered as JSON. */
  | { kind: 'json'; field: Field }
  | { kind: 'list'; field: Field; item: FormField }
  | { kind: 'group'; field: Field; fields: FormField[] };

type Schema = Record<string, unknown>;

/** Maximum depth of groups. The user enters deeper objects as JSON. */
const maxDepth = 3;

export function formOfSchema(schema: Schema, depth = 0): FormField[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return fieldsFromSchema(schema).map((field) => {
    const property = properties[field.name];
    return formFieldOf(field, isObject(property) ? property : {}, depth);
  });
}

function formFieldOf(field: Field, schema: Schema, depth: number): FormField {
  if (isSimple(schema)) {
    const kind = field.kind === 'file' ? 'text' : field.kind;
    return { kind: 'field', field: { ...field, kind, ...exampleOf(schema) } };
  }
  if (depth < maxDepth && schema.type === 'object' && isObject(schema.properties) && isPlain(schema))
    return { kind: 'group', field, fields: formOfSchema(schema, depth + 1) };
  const { items } = schema;
  if (depth < maxDepth && schema.type === 'array' && isObject(items) && isPlain(items)) {
    const [itemField] = fieldsFromSchema({ properties: { [field.name]: items }, required: [field.name] });
    const item = itemField && formFieldOf(itemField, items, depth + 1);
    if (item && item.kind !== 'json') return { kind: 'list', field, item };
  }
  return { kind: 'json', field: jsonField(field, schema) };
}

function jsonField(field: Field, schema: Schema): Field {
  const description = [field.description, jsonHint(schema)].filter(Boolean).join(' ');
  const { name, label, required } = field;
  return { name, label, required, kind: 'multiline', description };
}

/** A hint about the JSON to enter. */
function jsonHint({ type }: Schema): string {
  if (type === 'array') return t('Enter a JSON array, for example ["a", "b"].');
  return type === 'object' ? t(`Enter a JSON object, for example '{"key": "value"}'.`) : t('Enter JSON.');
}

/** An example of a value whose form is not obvious. */
function exampleOf({ format, pattern, examples }: Schema): Pick<Field, 'placeholder'> {
  const [example] = Array.isArray(examples) ? examples : [];
  if (typeof example === 'string') return { placeholder: example };
  if (format === 'date-time') return { placeholder: '2026-11-20T09:30:00Z' };
  return typeof pattern === 'string' ? { placeholder: t('Matches {pattern}', { pattern }) } : {};
}

const isPlain = (schema: Schema) => !['$ref', 'oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in schema);

function isSimple(schema: Schema): boolean {
  if (Array.isArray(schema.enum))
    return schema.enum.every((entry) => typeof entry === 'string') || schema.enum.every(Number.isFinite);
  if (schema.type === 'array')
    return isObject(schema.items) && Array.isArray(schema.items.enum) && isSimple(schema.items);
  return typeof schema.type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(schema.type);
}

/** The entries of a form: by field name, an array for a list, an object for a group. */
export type Entered = Record<string, unknown>;

/** The initial values. */
export function defaultsOf(fields: readonly FormField[]): Entered {
  const original = (field: Field) =>
    typeof field.default === 'string' ? originalAnswer(field, field.default) : field.default;
  const defaults = Object.fromEntries(fields.map(({ field }) => [field.name, original(field)]));
  return valuesOf(fields, defaults);
}

/** The values to enter for `args`: the opposite of `parseValues`. */
export function valuesOf(fields: readonly FormField[], args: Record<string, unknown>): Entered {
  const given = fields.filter(({ field }) => args[field.name] !== undefined);
  return Object.fromEntries(given.map((field) => [field.field.name, enteredOf(field, args[field.field.name])]));
}

function enteredOf(form: FormField, arg: unknown): unknown {
  if (form.kind === 'json') return JSON.stringify(arg, null, 2);
  if (form.kind === 'list') return Array.isArray(arg) ? arg.map((item) => enteredOf(form.item, item)) : [];
  if (form.kind === 'group') return isObject(arg) ? valuesOf(form.fields, arg) : {};
  return enteredAnswer(form.field, arg);
}

export interface Parsed {
  values: Record<string, unknown>;
  /** Problems by the path of the value, such as `filters.0.name`. */
  problems: Record<string, string>;
}

/** Converts the entered values to arguments. Empty optional fields are left out. */
export function parseValues(fields: readonly FormField[], entered: Entered, path = ''): Parsed {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const form of fields) {
    const { name } = form.field;
    const value = parseValue(form, entered[name], `${path}${name}`, problems);
    if (value !== undefined) values[name] = value;
  }
  return { values, problems };
}

function parseValue(form: FormField, value: unknown, path: string, problems: Parsed['problems']): unknown {
  const { field } = form;
  switch (form.kind) {
    case 'json':
      return parseJson(field, value, path, problems);
    case 'group':
      return parseGroup(form, value, path, problems);
    case 'list': {
      const items = Array.isArray(value) ? value : [];
      const { minItems = 0, required } = field;
      if (items.length === 0 && !required) return undefined;
      if (items.length < minItems) problems[path] = t('Add at least {minItems, number}.', { minItems });
      return items.map((item, index) => parseValue(form.item, item, `${path}.${index}`, problems));
    }
    case 'field': {
      const problem = validateField(field, value, t);
      if (problem) problems[path] = problem;
      if (value === undefined || value === '') return undefined;
      return originalAnswer(field, value);
    }
  }
}

function parseJson({ required }: Field, value: unknown, path: string, problems: Parsed['problems']): unknown {
  if (typeof value !== 'string' || value.trim() === '') {
    if (required) problems[path] = t('Required.');
    return undefined;
  }
  try {
    return JSON.parse(value);
  } catch {
    problems[path] = t("Not valid JSON. Put strings in quotes, lists in […] and objects in '{…}'.");
    return undefined;
  }
}

/** Leaves out an optional group without any input, even if the group has required fields. */
function parseGroup(
  { field, fields }: Extract<FormField, { kind: 'group' }>,
  value: unknown,
  path: string,
  problems: Parsed['problems'],
): unknown {
  const inner = parseValues(fields, isObject(value) ? value : {}, `${path}.`);
  if (!field.required && Object.keys(inner.values).length === 0) return undefined;
  Object.assign(problems, inner.problems);
  return inner.values;
}
