/** The choices of a call that select what the tool does. A grant keeps them: approving a soft reset allows no hard one. */
import type { Condition } from '../../../shared/model/question.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { selectorsOf } from '../tools/selectors.ts';
import { type Arguments, valuesNamed } from './argument-values.ts';

export function keptChoices(schema: JsonSchema, args: Arguments): Condition[] {
  return selectorsOf(schema).flatMap((argument): Condition[] => {
    // If a call is too deep to check, its grant keeps a value that no other call has.
    const values = valuesNamed(args, argument)?.map((value) => String(value).slice(0, 100)) ?? ['\0'];
    return values.length === 0 ? [] : [{ kind: 'is', argument, value: [...new Set(values)].sort().join(', ') }];
  });
}
