/**
 * Repairs declarations that violate the specification. Client libraries reject a whole list for one malformed field, so
 * malformed optional fields are dropped and unambiguous fields are completed. Well-formed input is not copied.
 */

import { isObject } from '../../../../shared/is-object.ts';
import type { JsonSchema, ToolDefinition } from '../../../../shared/model/tool.ts';
import { textFrom } from '../../../../shared/text-from.ts';

type Fields = Record<string, unknown>;
type Test = (value: unknown) => boolean;

const isString: Test = (value) => typeof value === 'string';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isIcons: Test = (value) => Array.isArray(value) && value.every((icon) => isObject(icon) && isString(icon.src));
const isNumberIn =
  (low: number, high: number): Test =>
  (value) =>
    typeof value === 'number' && value >= low && value <= high;

const common: Record<string, Test> = { title: isString, description: isString, icons: isIcons, _meta: isObject };
const toolFields: Record<string, Test> = {
  ...common,
  annotations: isObject,
  outputSchema: (value) => isObject(value) && (value.type === undefined || value.type === 'object'),
  execution: (value) =>
    isObject(value) &&
    (value.taskSupport === undefined || ['required', 'optional', 'forbidden'].includes(textFrom(value.taskSupport))),
};
const hints: Record<string, Test> = {
  title: isString,
  readOnlyHint: isBoolean,
  destructiveHint: isBoolean,
  idempotentHint: isBoolean,
  openWorldHint: isBoolean,
};
const resourceFields: Record<string, Test> = {
  ...common,
  mimeType: isString,
  size: isNumberIn(0, Number.MAX_SAFE_INTEGER),
  annotations: isObject,
};
const resourceAnnotations: Record<string, Test> = {
  audience: (value) => Array.isArray(value) && value.every((role) => role === 'user' || role === 'assistant'),
  priority: isNumberIn(0, 1),
  lastModified: isString,
};

/** Editors leave spaces of no width in emphasized text. Agents get the text without them. */
const emphasized = /\*{1,2}[^*\n]{1,300}\*{1,2}/g;

/** The declaration without copied spaces in descriptions. */
function withoutCopiedSpaces(declared: Fields): Fields {
  const json = JSON.stringify(declared);
  if (!json.includes('\u200b')) return declared;
  return JSON.parse(json, (key, value: unknown) =>
    key === 'description' && typeof value === 'string'
      ? value.replace(emphasized, (text) => text.replaceAll('\u200b', ''))
      : value,
  );
}

/** A tool that passed `problemsOf`. */
export function wellFormedTool(declared: Fields): ToolDefinition {
  let tool = without(withoutCopiedSpaces(declared), toolFields);
  if (isObject(tool.annotations)) tool = changed(tool, 'annotations', without(tool.annotations, hints));
  tool = changed(tool, 'inputSchema', wellFormedSchema(tool.inputSchema as JsonSchema));
  if (isObject(tool.outputSchema)) tool = changed(tool, 'outputSchema', wellFormedSchema(tool.outputSchema));
  return tool as ToolDefinition;
}

/** Clients require `type: object`, property schemas that are objects, and strings in `required`. */
function wellFormedSchema(schema: JsonSchema): JsonSchema {
  let result = without(schema, {
    properties: isObject,
    required: (value) => Array.isArray(value) && value.every(isString),
  });
  if (result.type === undefined) result = { type: 'object', ...result };
  if (!isObject(result.properties)) return result;
  const properties = Object.entries(result.properties);
  if (properties.every(([, property]) => isObject(property))) return result;
  const repaired = properties.map(([name, property]) => [
    name,
    property === false ? { not: {} } : property === true ? {} : property,
  ]);
  return { ...result, properties: Object.fromEntries(repaired) };
}

/** A prompt with a name. Drops arguments without a name. */
export function wellFormedPrompt(declared: Fields): Fields {
  const prompt = without(withoutCopiedSpaces(declared), { ...common, arguments: Array.isArray });
  const declaredArguments = prompt.arguments;
  if (!Array.isArray(declaredArguments)) return prompt;
  const kept = declaredArguments
    .filter((argument) => isObject(argument) && isString(argument.name))
    .map((argument) => without(argument, { title: isString, description: isString, required: isBoolean }));
  const isSame = kept.length === declaredArguments.length && kept.every((one, at) => one === declaredArguments[at]);
  return isSame ? prompt : { ...prompt, arguments: kept };
}

/** A resource or template with a name and a URI. */
export function wellFormedResource(declared: Fields): Fields {
  const resource = without(withoutCopiedSpaces(declared), resourceFields);
  if (!isObject(resource.annotations)) return resource;
  return changed(resource, 'annotations', without(resource.annotations, resourceAnnotations));
}

/** Returns the same object, or a copy without the fields that fail their test. */
function without(fields: Fields, tests: Record<string, Test>): Fields {
  const bad = Object.keys(tests).filter((key) => fields[key] !== undefined && !tests[key]?.(fields[key]));
  if (bad.length === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !bad.includes(key)));
}

function changed(fields: Fields, key: string, value: unknown): Fields {
  return fields[key] === value ? fields : { ...fields, [key]: value };
}
