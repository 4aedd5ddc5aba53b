/** Describes rules in words. */
import type { Rule } from '../../../shared/model/rule.ts';
import { allOf, anyOf, listOf } from '../../components/format.ts';
import { categoryLabels, safetyLabels } from '../../components/labels.ts';
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

export function describeScope(rule: Rule): string {
  const { server, pattern } = rule;
  const positive = pattern.filter((entry) => !entry.startsWith('!'));
  const negative = pattern.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  const which = positive.length === 0 ? t('all tools') : t('tools matching {names}', { names: anyOf(positive) });
  const tools = negative.length > 0 ? t('{tools} except {names}', { tools: which, names: anyOf(negative) }) : which;
  const limits = describeLimits(rule);
  const limited = limits.length > 0 ? t('{tools}, {limits}', { tools, limits: listOf(limits) }) : tools;
  return server ? t('{tools}, on {server}', { tools: limited, server }) : limited;
}

/** The safety levels, categories and client that a rule is limited to. */
export function describeLimits({ safety, category, client }: Rule): string[] {
  const levels = [safety ?? []].flat();
  const categories = [category ?? []].flat();
  return [
    ...(levels.length > 0 ? [t('only {names}', { names: allOf(levels.map((level) => safetyLabels[level])) })] : []),
    ...(categories.length > 0
      ? [t('category {names}', { names: anyOf(categories.map((name) => categoryLabels[name])) })]
      : []),
    ...(client === undefined ? [] : [t('for client {client}', { client })]),
  ];
}
