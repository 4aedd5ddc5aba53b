/** A form for any tool: simple properties become fields, all others are entered as JSON. */
import { fieldsFromSchema } from '../../shared/form.ts';
import { isObject } from '../../shared/is-object.ts';
import type { Field } from '../../shared/model/question.ts';

export interface FormField {
  field: Field;
  /** Entered as JSON. */
  isJson: boolean;
}

type Schema = Record<string, unknown>;

export function formOfSchema(schema: Schema): FormField[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return fieldsFromSchema(schema).map((field) => {
    const property = properties[field.name];
    const isJson = !isSimple(isObject(property) ? property : {});
    if (!isJson)
      return {
        field: field.kind === 'secret' ? field : { ...field, kind: field.kind === 'file' ? 'text' : field.kind },
        isJson,
      };
    const jsonField: Field = { name: field.name, label: field.name, kind: 'multiline', required: field.required };
    jsonField.description = [field.description, jsonHint(property)].filter(Boolean).join(' ');
    if (field.default !== undefined) jsonField.default = JSON.stringify(field.default, null, 2);
    return { field: jsonField, isJson };
  });
}

/** A hint on the JSON to enter for an array or object. */
function jsonHint(property: unknown): string {
  const type = isObject(property) ? property.type : undefined;
  if (type === 'array') return 'Enter a JSON array, for example ["a", "b"].';
  return type === 'object' ? 'Enter a JSON object, for example {"key": "value"}.' : 'Enter JSON.';
}

function isSimple(schema: Schema): boolean {
  if (Array.isArray(schema.enum)) return schema.enum.every((entry) => typeof entry === 'string');
  if (schema.type === 'array') return isObject(schema.items) && Array.isArray(schema.items.enum);
  return typeof schema.type === 'string' && ['string', 'number', 'integer', 'boolean'].includes(schema.type);
}

/** The values to enter for `args`: the opposite of `parseValues`. */
export function valuesOf(fields: readonly FormField[], args: Record<string, unknown>): Record<string, unknown> {
  const given = fields.filter(({ field }) => args[field.name] !== undefined);
  return Object.fromEntries(
    given.map(({ field, isJson }) => [
      field.name,
      isJson ? JSON.stringify(args[field.name], null, 2) : args[field.name],
    ]),
  );
}

/** Converts the entered values to arguments. Empty optional fields are left out. */
export function parseValues(
  fields: readonly FormField[],
  entered: Record<string, unknown>,
): { values: Record<string, unknown>; problems: Record<string, string> } {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const { field, isJson } of fields) {
    const value = entered[field.name];
    if (value === undefined || value === '') {
      if (isJson && field.required) problems[field.name] = 'Required.';
    } else if (isJson && typeof value === 'string') {
      try {
        values[field.name] = JSON.parse(value);
      } catch {
        problems[field.name] = 'Not valid JSON. Put strings in quotes, lists in […] and objects in {…}.';
      }
    } else values[field.name] = value;
  }
  return { values, problems };
}
