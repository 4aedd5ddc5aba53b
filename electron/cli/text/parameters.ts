/** Formats a tool's input schema as a list of parameters and example calls. */

import { exampleOf } from '../../../shared/example.ts';
import { isObject, objectsIn } from '../../../shared/is-object.ts';
import type { JsonSchema, ToolView } from '../../../shared/model/tool.ts';

export interface Parameter {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

export interface Example {
  description: string;
  parameters: Record<string, unknown>;
}

type Schema = JsonSchema | boolean;

export function parametersOf(tool: ToolView): Parameter[] {
  const required = new Set(Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required : []);
  return propertiesOf(tool.inputSchema).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    required: required.has(name),
    description: descriptionOf(schema),
  }));
}

/** The schema's own examples; without any, one call with only the required arguments and one with all of them. */
export function examplesOf(tool: ToolView): Example[] {
  const given = objectsIn(tool.inputSchema.examples);
  if (given.length > 0)
    return given.map((parameters, index) => ({ description: `Example ${index + 1} of the tool`, parameters }));
  const required = exampleOf(tool.inputSchema);
  const all = exampleOf(tool.inputSchema, { everything: true });
  const examples: Example[] = [{ description: 'Required arguments only', parameters: required }];
  if (Object.keys(all).length > Object.keys(required).length)
    examples.push({ description: 'All arguments', parameters: all });
  return examples;
}

export function valueText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function typeOf(schema: Schema): string {
  if (typeof schema === 'boolean') return 'any';
  if (Array.isArray(schema.enum)) return schema.enum.map(valueText).join(' | ');
  if (schema.const !== undefined) return valueText(schema.const);
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants)) return [...new Set((variants as Schema[]).map(typeOf))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array' && schema.items !== undefined && !Array.isArray(schema.items)) {
    const item = typeOf(schema.items as Schema);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function descriptionOf(schema: Schema): string {
  if (typeof schema === 'boolean') return '';
  const words = typeof schema.description === 'string' ? schema.description.trim() : '';
  const preset = schema.default === undefined ? '' : `Default: ${valueText(schema.default)}`;
  return [words, preset].filter(Boolean).join('\n');
}

function propertiesOf(schema: JsonSchema): [string, Schema][] {
  return isObject(schema.properties) ? (Object.entries(schema.properties) as [string, Schema][]) : [];
}
