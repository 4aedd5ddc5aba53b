/** Describes rules in words. */
import type { Rule } from '../../../shared/model/rule.ts';
import { allOf, anyOf, listOf } from '../../components/format.ts';
import { t } from '../../text.tsx';

/** For example "Disable and tag “risky”: tools matching *delete* except *draft*, on github". */
export function describeRule(rule: Rule): string {
  return t('{effect}: {tools}', { effect: describeEffect(rule), tools: describeScope(rule) });
}

export function describeEffect({ enabled, confirm, tags }: Rule): string {
  const effects = [
    enabled === true && t('enable'),
    enabled === false && t('disable'),
    confirm === 'always' && t('always ask'),
    confirm === 'never' && t('never ask'),
    confirm === 'auto' && t('ask when needed'),
    tags && tags.length > 0 && t('tag {names}', { names: listOf(tags.map((tag) => t('“{tag}”', { tag }))) }),
  ].filter((effect) => typeof effect === 'string');
  const description = effects.length === 0 ? t('no effect') : allOf(effects);
  return description.charAt(0).toUpperCase() + description.slice(1);
}

export function describeScope({ server, pattern }: Rule): string {
  const positive = pattern.filter((entry) => !entry.startsWith('!'));
  const negative = pattern.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  const which = positive.length === 0 ? t('all tools') : t('tools matching {names}', { names: anyOf(positive) });
  const tools = negative.length > 0 ? t('{tools} except {names}', { tools: which, names: anyOf(negative) }) : which;
  return server ? t('{tools}, on {server}', { tools, server }) : tools;
}
