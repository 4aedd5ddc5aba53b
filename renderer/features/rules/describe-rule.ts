/** Describes rules in words. */
import type { Rule } from '../../../shared/model/rule.ts';

/** For example "Disable and tag “risky”: tools matching *delete* but not *draft*, on github". */
export function describeRule(rule: Rule): string {
  return `${describeEffect(rule)}: ${describeScope(rule)}`;
}

export function describeEffect({ enabled, confirm, tags }: Rule): string {
  const effects = [
    enabled === true && 'enable',
    enabled === false && 'disable',
    confirm === 'always' && 'always ask',
    confirm === 'never' && 'never ask',
    confirm === 'auto' && 'ask when needed',
    tags && tags.length > 0 && `tag ${tags.map((tag) => `“${tag}”`).join(', ')}`,
  ].filter((effect) => typeof effect === 'string');
  const description = effects.length === 0 ? 'no effect' : effects.join(' and ');
  return description.charAt(0).toUpperCase() + description.slice(1);
}

export function describeScope({ server, pattern }: Rule): string {
  const positive = pattern.filter((entry) => !entry.startsWith('!'));
  const negative = pattern.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  const which = positive.length === 0 ? 'all tools' : `tools matching ${positive.join(' or ')}`;
  const but = negative.length > 0 ? ` but not ${negative.join(' or ')}` : '';
  return `${which}${but}${server ? `, on ${server}` : ''}`;
}
