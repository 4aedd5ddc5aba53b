/** The parameters whose choices select what a tool does, such as `action: list | delete`. */
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { choicesOf, selectsAction } from './assessment/choices.ts';
import { commandOf } from './assessment/parameters.ts';
import { parametersOf } from './assessment/schema-parameters.ts';

/** Their names at any depth, in alphabetical order. The command of a router selects, too, although its values are unknown. */
export function selectorsOf(schema: JsonSchema): string[] {
  const parameters = parametersOf(schema);
  const command = commandOf(parameters.filter(({ depth }) => depth === 0));
  const selectors = parameters.filter(
    (parameter) => parameter === command || (selectsAction(parameter) && choicesOf(parameter.schema).length > 1),
  );
  return [...new Set(selectors.map(({ name }) => name))].sort();
}
