/** Describes the conditions of a grant in words. */
import type { Condition } from '../../../shared/model/question.ts';

export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'inside':
      return `every path is inside ${condition.value}`;
    case 'is':
      return `${condition.argument} is ${condition.value}`;
    case 'host':
      return `${condition.argument} is on ${condition.value}`;
  }
}
