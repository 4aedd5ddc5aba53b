/** Finds calls that only read with a tool that is dangerous because of its other choices: `action: list | delete`. */
import { isObject } from '../../../../shared/is-object.ts';
import type { JsonSchema, SafetyLevel, ToolAnnotations } from '../../../../shared/model/tool.ts';
import { choicesOf, isReadingChoice, selectsAction } from './choices.ts';
import { parametersOf } from './schema-parameters.ts';

/** More choices would take long to assess. */
const maxChoices = 50;

/** `levelWith` assesses the tool with a schema that offers only one choice, which reads. */
export function choiceThatDecides(
  schema: JsonSchema,
  levelWith: (schema: JsonSchema) => SafetyLevel,
): ToolAnnotations['choice'] {
  for (const parameter of parametersOf(schema)) {
    const choices = choicesOf(parameter.schema);
    if (parameter.depth > 0 || !selectsAction(parameter) || choices.length < 2 || choices.length > maxChoices) continue;
    const levels = choices
      .filter(isReadingChoice)
      .map((choice) => [choice, levelWith(withOnly(schema, parameter.name, choice))] as const)
      .filter(([, level]) => level !== 'dangerous');
    if (levels.length > 0) return { parameter: parameter.name, levels: Object.fromEntries(levels) };
  }
  return undefined;
}

function withOnly(schema: JsonSchema, parameter: string, choice: string): JsonSchema {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const { description } = isObject(properties[parameter]) ? properties[parameter] : {};
  return { ...schema, properties: { ...properties, [parameter]: { type: 'string', description, enum: [choice] } } };
}
