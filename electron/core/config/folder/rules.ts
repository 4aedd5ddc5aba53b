/** Merges a folder's rules. Restricting rules form a separate layer; loosening rules need the user's acceptance. */
import type { Rule } from '../../../../shared/model/rule.ts';
import type { TrustEffects } from '../../../../shared/model/trust.ts';
import type { UserSide } from './sides.ts';

/**
 * Returns two sets of rules: `strict`, whose restrictions alone take effect (see `strictest` in rules/), and `appended`,
 * the accepted loosening rules, which come after all of the user's rules.
 */
export function mergeRules(
  user: UserSide,
  rules: Rule[],
  accepted: ReadonlySet<string>,
  effects: TrustEffects,
): { strict: Rule[]; appended: Rule[] } {
  const appended: Rule[] = [];
  const strict = rules.map((rule, index): Rule => {
    const { enabled, confirm, destinations, tags: _, ...scope } = rule;
    const place = `toolRules[${index}]`;
    const target = describeTarget(rule);
    const loosen = (key: string, text: string, accept: () => void) => {
      const id = `${place}.${key}`;
      effects.loosens.push({ id, text: `${id}: ${text} (${target})` });
      if (accepted.has(id)) accept();
    };
    if (confirm === 'never') loosen('confirm', 'never asks', () => void appended.push({ ...scope, confirm }));
    else if (confirm === 'always') effects.stricter.push(`${place}: always asks (${target})`);
    if (destinations === 'any')
      loosen('destinations', 'allows new destinations', () => void appended.push({ ...scope, destinations }));
    else if (destinations) effects.stricter.push(`${place}: asks about new destinations (${target})`);
    if (enabled === false) effects.stricter.push(`${place}: disables (${target})`);
    else if (enabled && user.decidesEnabled)
      loosen('enabled', 'enables what your rules may disable', () => void appended.push({ ...scope, enabled }));
    else if (enabled) effects.stricter.push(`${place}: allows only what such rules enable (${target})`);
    const tags = rule.tags?.filter((tag) => !user.profileTags.includes(tag));
    const limiting = rule.tags?.filter((tag) => user.profileTags.includes(tag)) ?? [];
    if (limiting.length > 0)
      loosen('tags', `adds the tags of your profiles: ${limiting.join(', ')}`, () => void tags?.push(...limiting));
    if (tags && tags.length > 0) effects.adds.push(`${place}: tags ${tags.join(', ')} (${target})`);
    return { ...rule, tags };
  });
  return { strict, appended };
}

/** Describes the tools that a rule selects. */
export function describeTarget({ client, server, pattern, safety, category }: Rule): string {
  const kinds = [safety, category].flatMap((kind) => kind ?? []);
  const tools = pattern.length === 0 ? 'every tool' : `tools ${pattern.join(', ')}`;
  const parts = [
    tools,
    ...(kinds.length > 0 ? [`that is ${kinds.join(', ')}`] : []),
    ...(server ? [`of server ${server}`] : []),
    ...(client ? [`for client ${client}`] : []),
  ];
  return parts.join(' ');
}
