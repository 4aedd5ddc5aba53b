/** Editing the rules loses no key of a rule, because it would then apply to more tools or clients. */
import { expect, it } from 'vitest';
import { ownRules } from '../../../renderer/stores/own-rules.ts';
import type { OwnRule, RuleView } from '../../../shared/model/rule.ts';

it('The rules that the window saves have every key of the rules that it loaded', () => {
  const rule: Required<OwnRule> = {
    client: 'cursor',
    server: 'office',
    pattern: ['delete_*'],
    safety: ['dangerous'],
    category: 'data',
    enabled: false,
    confirm: 'always',
    destinations: 'known',
    tags: ['risky'],
    isLast: true,
    active: true,
  };
  const views: RuleView[] = [
    { ...rule, origin: 'own', matches: 3, shadowedBy: 1, enabledFirst: [], problem: 'x' },
    { ...rule, origin: 'config', matches: 3 },
  ];
  expect(ownRules(views)).toEqual([rule]);
});
