/** Conditions of a grant as a person reads them. */
import type { Condition } from '../../shared/model.ts';

export function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'inside':
      return `every path is inside ${condition.value}`;
    case 'is':
      return `${condition.argument} is ${condition.value}`;
    case 'host':
      return `${condition.argument} is on ${condition.value}`;
  }
}
