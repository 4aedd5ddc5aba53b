/** The parameters whose choices select what a tool does, such as `action: list | delete`. */
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { choicesOf, selectsAction } from './assessment/choices.ts';
import { parametersOf } from './assessment/schema-parameters.ts';

/** Their names at any depth, in alphabetical order. */
export function selectorsOf(schema: JsonSchema): string[] {
  const selectors = parametersOf(schema).filter(
    (parameter) => selectsAction(parameter) && choicesOf(parameter.schema).length > 1,
  );
  return [...new Set(selectors.map(({ name }) => name))].sort();
}
