/**
 * Combines the user's rules, the config file's rules, and the overrides into one decision per tool, and describes rules
 * for UIs.
 */
import type { Override, OwnRule, Rule, RuleView } from '../../../shared/model/rule.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { compileClientRules } from '../rules/client-rules.ts';
import type { RuleTarget } from '../rules/compiled-rule.ts';
import { compileOverrides, type OverriddenDecision } from '../rules/overrides.ts';
import { compileRules, strictest } from '../rules/rules.ts';

export type RuleOrder = ReturnType<typeof orderRules>;

/** A rule of the config file, or of a trusted folder if the user accepted it although it loosens. */
export type ConfigRule = Rule & { origin?: 'folder' };

/** A rule that can only disable tools and require approval. */
export type Restriction = Rule & { origin: 'folder' | 'client' };

/** Maximum number of tools in a rule's view. */
const maxListed = 100;

/**
 * The user's own rules come first and thus take precedence over those of the config file, except imported rules that
 * weaken protection. Restrictions apply after all of them. An override takes precedence over every rule.
 */
export function orderRules(
  own: readonly OwnRule[],
  config: readonly ConfigRule[],
  overrides: readonly Override[],
  restrictions: readonly Restriction[] = [],
) {
  const all: (Rule & { origin: 'own' | 'config' | 'folder'; active: boolean })[] = [
    ...own.filter(({ isLast }) => !isLast).map((rule) => ({ ...rule, origin: 'own' as const })),
    ...config.map((rule) => ({ origin: 'config' as const, ...rule, active: true })),
    ...own.filter(({ isLast }) => isLast).map((rule) => ({ ...rule, origin: 'own' as const })),
  ];
  const set = compileRules(all);
  const override = compileOverrides(overrides);
  const restricting = compileRules([...restrictions]);
  /** The rules for one client each, without their client: only to find out which tools they match. */
  const ofClients = compileRules(
    all.map(({ client, ...rule }) => ({ ...rule, active: rule.active && client !== undefined })),
  );
  const byClient = compileClientRules([...all, ...restrictions.map(restrictingOnly)]);
  function decide(tool: Tool): OverriddenDecision {
    const target = targetOf(tool);
    const decision = set.decide(target);
    const isRestricted = restrictions.length > 0;
    return override(tool, isRestricted ? strictest(decision, restricting.decide(target), all.length) : decision);
  }
  return { all, overrides, restrictions, set, restricting, ofClients, byClient, decide };
}

/** Removes what a restriction must not do. */
const restrictingOnly = ({ confirm, ...rule }: Restriction): Rule =>
  confirm === 'always' ? { ...rule, confirm } : rule;

export function targetOf({ server, name, annotations, category }: Tool): RuleTarget {
  return { server, name, safety: annotations.safetyLevel, category };
}

/** The rules with the tools that they match among `tools`, and their problems. */
export function ruleViews(
  { all, set, restrictions, restricting, ofClients }: RuleOrder,
  tools: Iterable<Tool>,
): RuleView[] {
  const counts = all.map(() => 0);
  const restricted = restrictions.map(() => 0);
  const enabledFirst = all.map((): NonNullable<RuleView['enabledFirst']> => []);
  for (const tool of tools) {
    const target = targetOf(tool);
    for (const index of all.keys())
      if (set.matches(index, target) || ofClients.matches(index, target)) counts[index] = (counts[index] ?? 0) + 1;
    for (const index of restrictions.keys())
      if (restricting.matches(index, target)) restricted[index] = (restricted[index] ?? 0) + 1;
    const conflict = set.enabledFirst(target);
    const listed = conflict && enabledFirst[conflict.over];
    if (listed && listed.length < maxListed) listed.push({ server: tool.server, tool: tool.name, rule: conflict.by });
  }
  const views = all.map((rule, index) => {
    const view: RuleView = { ...rule, matches: counts[index] ?? 0 };
    const shadow = set.shadowedBy(index);
    if (shadow !== undefined) view.shadowedBy = shadow;
    if (enabledFirst[index]?.length) view.enabledFirst = enabledFirst[index];
    const problem = set.problems.find((entry) => entry.index === index)?.failure.message;
    if (problem) view.problem = problem;
    return view;
  });
  const ofOthers = restrictions.map(({ confirm, destinations, ...rule }, index): RuleView => {
    const problem = restricting.problems.find((entry) => entry.index === index)?.failure.message;
    // Other values have no effect here.
    const effect = {
      ...(confirm === 'always' && { confirm }),
      ...(destinations === 'known' && { destinations }),
    };
    const shadow = restricting.shadowedBy(index);
    return {
      ...rule,
      ...effect,
      active: true,
      matches: restricted[index] ?? 0,
      ...(shadow !== undefined && { shadowedBy: all.length + shadow }),
      ...(problem && { problem }),
    };
  });
  return [...views, ...ofOthers];
}

/** The result of replacing the user's own rules in `order`: the rules, and the tools whose decision differs. */
export function previewRules(order: RuleOrder, own: readonly OwnRule[], tools: readonly Tool[]) {
  const config = order.all.flatMap(({ active: _, origin, ...rule }): ConfigRule[] =>
    origin === 'own' ? [] : [origin === 'folder' ? { ...rule, origin } : rule],
  );
  const next = orderRules(own, config, order.overrides, order.restrictions);
  const changes = tools.flatMap((tool) => {
    const before = decisionText(order.decide(tool));
    const after = decisionText(next.decide(tool));
    return before === after ? [] : [{ server: tool.server, tool: tool.name, before, after }];
  });
  return { rules: ruleViews(next, tools), changes };
}

/** The servers and tools that rules can match. `awaited`: the servers whose tools are not known yet. */
interface Matchable {
  servers: readonly string[];
  tools: number;
  awaited: readonly string[];
}

/** The problems of the rules, one sentence each, counted from 1. */
export function ruleWarnings(views: readonly RuleView[], known: Matchable): string[] {
  return views.flatMap((rule, index) => {
    const warnings: string[] = [];
    const effect = effectProblem(rule, known);
    if (effect !== undefined) warnings.push(`Rule ${index + 1} ${effect}`);
    if (rule.problem) warnings.push(`Rule ${index + 1}: ${rule.problem}`);
    if (rule.shadowedBy !== undefined) warnings.push(`Rule ${index + 1} ${shadowText(rule, rule.shadowedBy)}`);
    for (const { server, tool, rule: by } of rule.enabledFirst ?? [])
      warnings.push(
        `Rule ${by + 1} enables ${server}:${tool}, which the later rule ${index + 1} would disable. Move rule ${index + 1} before rule ${by + 1} to disable it.`,
      );
    return warnings;
  });
}

/** Why the rule has no effect now. A rule with another problem is not examined, and an import's may await its tools. */
function effectProblem(rule: RuleView, known: Matchable): string | undefined {
  const { client, server, enabled, confirm, destinations, tags, matches, problem, origin, active } = rule;
  if (problem || !active || origin === 'client') return undefined;
  if (client !== undefined && enabled !== false && !confirm)
    return 'names a client, so it can only disable tools (`enabled: false`) and set `confirm`.';
  // A folder's rule may set only something that the user did not accept.
  if (enabled === undefined && !confirm && !destinations && !tags?.length && origin !== 'folder')
    return 'sets nothing: it has none of `enabled`, `confirm`, `destinations` and `tags`.';
  if (matches > 0) return undefined;
  const named = server !== undefined && /^[\w.-]+$/.test(server) ? server.toLowerCase() : undefined;
  const isNamed = (name: string) => named === undefined || name.toLowerCase() === named;
  if (!known.servers.some(isNamed) && named !== undefined)
    return `names the server "${server}", which is not configured.`;
  return known.tools === 0 || known.awaited.some(isNamed) ? undefined : 'matches none of the known tools.';
}

/** A rule that enables tools creates an allow-list even if it never decides first. */
function shadowText({ enabled }: Rule, by: number): string {
  if (enabled !== true) return `can never decide anything: rule ${by + 1} decides first.`;
  return `can never enable a tool: rule ${by + 1} decides first. It only makes an allow-list, so tools that no rule enables are disabled.`;
}

/** Summarizes the decision of the rules and overrides about a tool. */
function decisionText({ enabled, confirm, destinations, tags }: OverriddenDecision): string {
  if (!enabled) return 'disabled';
  const parts = ['enabled'];
  if (confirm !== 'auto') parts.push(`confirm ${confirm}`);
  if (destinations) parts.push(`destinations ${destinations}`);
  if (tags.length > 0) parts.push(`tags ${tags.join(', ')}`);
  return parts.join(' · ');
}
