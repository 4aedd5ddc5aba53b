/**
 * Decides which tools are enabled, which need approval, and which tags they have. The first matching rule with
 * `enabled` decides whether a tool is enabled, the first with `confirm` whether it needs approval, the first with
 * `destinations` whether new destinations do, and tags accumulate over all matching rules. A bare catch-all sets the default and comes after all other rules. A rule that enables tools
 * creates an allow-list: tools that no rule decides are disabled.
 */
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import type { Confirm, DestinationsPolicy } from '../../../shared/model/tool.ts';
import {
  type CompiledRule,
  compileRule,
  neverMatching,
  type RuleTarget,
  ruleMatches,
  serverMatches,
  subjectsOf,
} from './compiled-rule.ts';
import { findShadow } from './shadow.ts';

export interface Decision {
  enabled: boolean;
  confirm: Confirm;
  /** Whether calls that act may have new destinations without approval; absent if no rule decides it. */
  destinations?: DestinationsPolicy;
  tags: string[];
  /** Absent if the tool is enabled by default. */
  enabledBy?: 'rule' | 'allow-list';
  /** Index of the rule that decided `enabled`, or of the first rule that creates an allow-list. */
  decidedBy?: number;
}

/** The decision without rules. One object, because there may be thousands of tools. */
const byDefault: Decision = { enabled: true, confirm: 'auto', tags: [] };

/** Several times the largest catalog. The cache is cleared when full. */
const maxCached = 50_000;

/**
 * Compiles rules in order. Never throws: invalid rules are in `problems`. Rules with `active: false` and those for one client
 * are ignored.
 */
export function compileRules(rules: (Rule & { active?: boolean })[]) {
  const problems: { index: number; failure: Failure }[] = [];
  const active = rules.flatMap((rule, index) =>
    rule.active === false || rule.client !== undefined ? [] : [{ rule, index }],
  );
  const compiled = active.flatMap(({ rule, index }) => {
    try {
      return [compileRule(rule, index)];
    } catch (error) {
      problems.push({ index, failure: { ...toFailure(error), path: `toolRules[${index}].pattern` } });
      // An allow-list whose only pattern is invalid must not enable everything.
      return rule.enabled === true ? [neverMatching(rule, index)] : [];
    }
  });
  const ordered = [...compiled.filter((rule) => !rule.isCatchAll), ...compiled.filter((rule) => rule.isCatchAll)];
  const cached = ordered.length === 0 ? () => byDefault : createCache((tool) => decideUncached(ordered, tool));
  const at = (index: number) => ordered.find((rule) => rule.index === index);

  return {
    /** Rules with an invalid pattern. They match nothing. */
    problems,
    /** The decision of the rules about a tool. Results are cached; do not modify them. */
    decide: cached,
    /** Whether the rule at `index` matches the tool; false for an inactive rule. */
    matches(index: number, tool: RuleTarget): boolean {
      const rule = at(index);
      return rule !== undefined && ruleMatches(rule, subjectsOf(tool), tool);
    },
    /**
     * Index of the rule that always matches before this one (the first, if several together do). A shadowed enabling rule
     * still creates an allow-list. Reports a rule only if this is certain.
     */
    shadowedBy(index: number): number | undefined {
      if (problems.some((problem) => problem.index === index)) return undefined;
      const place = ordered.findIndex((rule) => rule.index === index);
      const rule = ordered[place];
      return rule && findShadow(ordered.slice(0, place), rule);
    },
    /** Indexes of the rule that enables the tool and of a later rule that would disable it, if both exist. */
    enabledFirst(tool: RuleTarget): { by: number; over: number } | undefined {
      const { enabled, decidedBy } = cached(tool);
      if (!enabled || decidedBy === undefined) return undefined;
      const subjects = subjectsOf(tool);
      const over = ordered.find(
        (rule) =>
          rule.index > decidedBy &&
          !rule.isCatchAll &&
          rule.rule.enabled === false &&
          ruleMatches(rule, subjects, tool),
      );
      return over && !at(decidedBy)?.isCatchAll ? { by: decidedBy, over: over.index } : undefined;
    },
  };
}

/**
 * Restricts `decision` with the decision of restricting rules, which can disable tools and require approval but never the
 * opposite. They are listed after the `count` rules that made `decision`.
 */
export function strictest(decision: Decision, restriction: Decision, count: number): Decision {
  const confirm = restriction.confirm === 'always' ? 'always' : decision.confirm;
  const destinations = restriction.destinations === 'known' ? 'known' : decision.destinations;
  const tags = [...new Set([...decision.tags, ...restriction.tags])];
  const rest = { confirm, ...(destinations && { destinations }), tags };
  if (!decision.enabled || restriction.enabled) return { ...decision, ...rest };
  const { enabledBy, decidedBy = 0 } = restriction;
  return { enabled: false, enabledBy, decidedBy: count + decidedBy, ...rest };
}

/** Checks that every pattern of a rule is valid; throws CONFIG_INVALID with the offending pattern otherwise. */
export function checkRule(rule: Rule): void {
  compileRule(rule, 0);
}

function decideUncached(rules: readonly CompiledRule[], tool: RuleTarget): Decision {
  const subjects = subjectsOf(tool);
  let decider: CompiledRule | undefined;
  let confirm: Confirm | undefined;
  let destinations: DestinationsPolicy | undefined;
  const tags: { index: number; tags: string[] }[] = [];
  for (const compiled of rules) {
    const { rule, index } = compiled;
    const canDecide = rule.enabled !== undefined && decider === undefined;
    const canConfirm = rule.confirm !== undefined && confirm === undefined;
    const canLimit = rule.destinations !== undefined && destinations === undefined;
    if (!canDecide && !canConfirm && !canLimit && !rule.tags?.length) continue;
    if (!ruleMatches(compiled, subjects, tool)) continue;
    if (canDecide) decider = compiled;
    if (canConfirm) confirm = rule.confirm;
    if (canLimit) destinations = rule.destinations;
    if (rule.tags) tags.push({ index, tags: rule.tags });
  }
  // Tags keep the order in which the rules are written.
  tags.sort((one, other) => one.index - other.index);
  const limit = destinations && { destinations };
  const rest = { confirm: confirm ?? 'auto', ...limit, tags: [...new Set(tags.flatMap((entry) => entry.tags))] };
  if (decider) return { ...rest, enabled: decider.rule.enabled === true, enabledBy: 'rule', decidedBy: decider.index };
  const lists = rules.filter((rule) => rule.rule.enabled === true && serverMatches(rule, subjects.server));
  if (lists.length === 0) return { ...rest, enabled: true };
  return { ...rest, enabled: false, enabledBy: 'allow-list', decidedBy: Math.min(...lists.map(({ index }) => index)) };
}

function createCache(decide: (tool: RuleTarget) => Decision): (tool: RuleTarget) => Decision {
  const byServer = new Map<string, Map<string, { decision: Decision; safety?: string; category?: string }>>();
  let count = 0;
  return (tool) => {
    const { name, safety, category } = tool;
    const known = byServer.get(tool.server)?.get(name);
    if (known && known.safety === safety && known.category === category) return known.decision;
    const decision = decide(tool);
    if (count >= maxCached) {
      byServer.clear();
      count = 0;
    }
    let ofServer = byServer.get(tool.server);
    if (!ofServer) {
      ofServer = new Map();
      byServer.set(tool.server, ofServer);
    }
    ofServer.set(name, { decision, safety, category });
    count += 1;
    return decision;
  };
}
