/** The choices of a call that select what the tool does. A grant keeps them: approving a soft reset allows no hard one. */
import type { Condition } from '../../../shared/model/question.ts';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { selectorsOf } from '../tools/selectors.ts';
import { type Arguments, valuesByName } from './argument-values.ts';

/** In characters. Two longer values could look the same to the user. */
const maxValue = 100;

/** Undefined if the choices cannot be checked: no grant may cover such a call. */
export function keptChoices(schema: JsonSchema, args: Arguments): Condition[] | undefined {
  const kept: Condition[] = [];
  const selectors = selectorsOf(schema);
  const named = selectors.length > 0 ? valuesByName(args) : undefined;
  for (const argument of selectors) {
    const values = named && (named.get(argument.toLowerCase()) ?? []).map(String);
    if (!values || values.some((value) => value.length > maxValue)) return undefined;
    if (values.length > 0) kept.push({ kind: 'is', argument, value: [...new Set(values)].sort().join(', ') });
  }
  return kept;
}
