/**
 * Rules for one client each. They come on top of all other rules: they can disable tools for their client and decide whether
 * its calls need approval, but never enable a tool.
 */
import type { Rule } from '../../../shared/model/rule.ts';
import type { Confirm } from '../../../shared/model/tool.ts';
import { compileRule, type RuleTarget, serverMatches, subjectsOf } from './compiled-rule.ts';
import { compileRules } from './rules.ts';

type ActiveRule = Rule & { active?: boolean };

export type ClientRules = ReturnType<typeof compileFor>;

type RulesByClient = ReadonlyMap<string, ClientRules>;

export function compileClientRules(rules: readonly ActiveRule[]): RulesByClient {
  const byClient = Map.groupBy(
    rules.filter(({ active }) => active !== false),
    ({ client }) => client,
  );
  const compiled = new Map<string, ClientRules>();
  for (const [client, its] of byClient) if (client !== undefined) compiled.set(client, compileFor(its));
  return compiled;
}

function compileFor(rules: readonly Rule[]) {
  const set = compileRules(
    rules.map(({ client: _, enabled, ...rule }) => (enabled === false ? { ...rule, enabled } : rule)),
  );
  const isBroken = set.problems.some(({ index }) => rules[index]?.enabled === false);
  const whole = rules.filter(
    ({ enabled, safety, category, pattern }) =>
      enabled === false && !safety && !category && pattern.every((part) => part === '*'),
  );
  const servers = isBroken ? [] : whole.map((rule) => compileRule(rule, 0));
  return {
    // A rule that cannot be read may have disabled anything.
    denies: (tool: RuleTarget): boolean => isBroken || !set.decide(tool).enabled,
    /** Whether the client can use none of the server's tools. */
    deniesServer: (server: string): boolean =>
      isBroken || servers.some((rule) => serverMatches(rule, subjectsOf({ server, name: '' }).server)),
    /** The value of the first rule with `confirm` that matches the tool. */
    confirm: (tool: RuleTarget): Confirm => set.decide(tool).confirm,
  };
}
