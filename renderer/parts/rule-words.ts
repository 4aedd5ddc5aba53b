/** Rules in plain words. */
import type { Rule } from '../../shared/model.ts';

/** For instance "Switch off and tag “risky”: tools matching *delete* but not *draft*, on github". */
export function ruleSummary(rule: Rule): string {
  return `${effectWords(rule)}: ${scopeWords(rule)}`;
}

export function effectWords({ enabled, confirm, tags }: Rule): string {
  const effects = [
    enabled === true && 'switch on',
    enabled === false && 'switch off',
    confirm === 'always' && 'always ask',
    confirm === 'never' && 'never ask',
    confirm === 'auto' && 'ask if dangerous',
    tags && tags.length > 0 && `tag ${tags.map((tag) => `“${tag}”`).join(', ')}`,
  ].filter((effect) => typeof effect === 'string');
  const words = effects.length === 0 ? 'does nothing' : effects.join(' and ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function scopeWords({ server, pattern }: Rule): string {
  const positive = pattern.filter((entry) => !entry.startsWith('!'));
  const negative = pattern.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1));
  const which = positive.length === 0 ? 'all tools' : `tools matching ${positive.join(' or ')}`;
  const but = negative.length > 0 ? ` but not ${negative.join(' or ')}` : '';
  return `${which}${but}${server ? `, on ${server}` : ''}`;
}
