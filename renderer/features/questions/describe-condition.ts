/** Describes the conditions of a grant in words. */
import type { Condition } from '../../../shared/model/question.ts';
import { t } from '../../text.tsx';

export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'inside':
      return t('every path is inside {folder}', { folder: condition.value });
    case 'is':
      return t('{argument} is {value}', { argument: condition.argument, value: String(condition.value) });
    case 'atMost':
      return t('{argument} is at most {value, number}', { argument: condition.argument, value: condition.value });
    case 'host':
      return t('{argument} is on {host}', { argument: condition.argument, host: condition.value });
  }
}
