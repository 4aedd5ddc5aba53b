/** The user's own rules among all, as they are saved. */
import type { OwnRule, RuleView } from '../../shared/model/rule.ts';

/** Every key of a rule is kept, also those that the editor does not show: without one, a rule would apply to more tools. */
export function ownRules(rules: readonly RuleView[]): OwnRule[] {
  return rules
    .filter(({ origin }) => origin === 'own')
    .map(({ origin: _, matches: __, shadowedBy: ___, enabledFirst: ____, problem: _____, ...rule }) => rule);
}
