/**
 * Decides which tools are on, which ask first, and which tags they carry. The first matching rule that has `enabled`
 * decides it, the first that has `confirm` decides that, tags add up over all (design "Rules", requirement row A8).
 */
import { type Failure, fail, toFailure } from '../../../shared/failure.ts';
import type { Confirm, Rule } from '../../../shared/model.ts';
import { accepts, covers, type Pattern, parsePattern, type Subject } from './pattern.ts';

export interface ToolRef {
  server: string;
  name: string;
}

export interface Decision {
  enabled: boolean;
  confirm: Confirm;
  tags: string[];
  /** Index of the rule that decided `enabled`; absent when none did. */
  decidedBy?: number;
}

export interface RuleSet {
  /** What the rules say about a tool. Answers are kept, so asking again costs a look-up; do not change them. */
  decide(tool: ToolRef): Decision;
  /** Whether the rule at `index` matches the tool; false for a rule that is inert. */
  matches(index: number, tool: ToolRef): boolean;
  /** Rules with a pattern that cannot be read. They match nothing. */
  readonly problems: { index: number; failure: Failure }[];
  /**
   * Index of the earlier rule (the first, if it takes several) that keeps this one from ever deciding anything.
   * Only what is certain is reported: a rule may be shadowed by more roundabout ways and not be named.
   */
  shadowedBy(index: number): number | undefined;
}

interface CompiledRule {
  rule: Rule;
  server: Pattern | undefined;
  /** Empty means "every tool". */
  positive: Pattern[];
  negative: Pattern[];
}

/** Enough for every tool of the largest catalog several times over; then the memory starts afresh. */
const maxKept = 50_000;

/** What holds where there are no rules. */
const undecided: Decision = { enabled: true, confirm: 'auto', tags: [] };

/** Compiles rules in order. Never throws: what cannot be read is in `problems`. Rules with `active: false` are inert. */
export function compileRules(rules: (Rule & { active?: boolean })[]): RuleSet {
  const problems: RuleSet['problems'] = [];
  const compiled = rules.map((rule, index) => {
    if (rule.active === false) return undefined;
    try {
      return compileRule(rule);
    } catch (error) {
      problems.push({ index, failure: { ...toFailure(error), path: `toolRules[${index}].pattern` } });
      return undefined;
    }
  });
  const kept = new Map<string, Map<string, Decision>>();
  let keptCount = 0;

  return {
    problems,
    decide(tool) {
      if (rules.length === 0) return undecided;
      let ofServer = kept.get(tool.server);
      const known = ofServer?.get(tool.name);
      if (known) return known;
      const decision = decideAfresh(compiled, tool);
      if (keptCount >= maxKept) {
        kept.clear();
        keptCount = 0;
        ofServer = undefined;
      }
      if (!ofServer) {
        ofServer = new Map();
        kept.set(tool.server, ofServer);
      }
      ofServer.set(tool.name, decision);
      keptCount += 1;
      return decision;
    },
    matches(index, tool) {
      const rule = compiled[index];
      return rule !== undefined && ruleMatches(rule, subjectsOf(tool));
    },
    shadowedBy(index) {
      const rule = compiled[index];
      return rule && findShadow(compiled.slice(0, index), rule);
    },
  };
}

/** Checks that every pattern of a rule can be read; throws CONFIG_INVALID with the offending pattern otherwise. */
export function checkRule(rule: Rule): void {
  compileRule(rule);
}

function compileRule(rule: Rule): CompiledRule {
  try {
    const patterns = rule.pattern.map(parsePattern);
    return {
      rule,
      server: rule.server === undefined ? undefined : parsePattern(rule.server),
      positive: patterns.filter((pattern) => !pattern.negated),
      negative: patterns.filter((pattern) => pattern.negated),
    };
  } catch (error) {
    throw fail('CONFIG_INVALID', (error as Error).message, {
      hint: 'Globs look like *github*, regular expressions like /^(create|update)_/i; "!" in front excludes.',
    });
  }
}

interface Subjects {
  server: Subject;
  texts: [Subject, Subject];
}

function subjectsOf(tool: ToolRef): Subjects {
  return { server: subject(tool.server), texts: [subject(tool.name), subject(`${tool.server}:${tool.name}`)] };
}

function subject(exact: string): Subject {
  return { exact, lower: exact.toLowerCase() };
}

function ruleMatches(rule: CompiledRule, { server, texts }: Subjects): boolean {
  if (rule.server && !serverMatches(rule, rule.server, server)) return false;
  const hit = (pattern: Pattern) => accepts(pattern, texts[0]) || accepts(pattern, texts[1]);
  if (rule.positive.length > 0 && !rule.positive.some(hit)) return false;
  return !rule.negative.some(hit);
}

/** A server is named by its exact name or by a pattern; `!` before a pattern means every other server. */
function serverMatches({ rule }: CompiledRule, pattern: Pattern, server: Subject): boolean {
  // A name may hold characters that mean something in a glob: "files [work]" still names itself.
  return rule.server?.toLowerCase() === server.lower || accepts(pattern, server) !== pattern.negated;
}

function decideAfresh(rules: (CompiledRule | undefined)[], tool: ToolRef): Decision {
  const subjects = subjectsOf(tool);
  let enabled: boolean | undefined;
  let decidedBy: number | undefined;
  let confirm: Confirm | undefined;
  const tags = new Set<string>();
  for (const [index, compiled] of rules.entries()) {
    if (!compiled) continue;
    const { rule } = compiled;
    const canDecide = rule.enabled !== undefined && enabled === undefined;
    const canConfirm = rule.confirm !== undefined && confirm === undefined;
    if (!canDecide && !canConfirm && !rule.tags?.length) continue;
    if (!ruleMatches(compiled, subjects)) continue;
    if (canDecide) {
      enabled = rule.enabled;
      decidedBy = index;
    }
    if (canConfirm) confirm = rule.confirm;
    for (const tag of rule.tags ?? []) tags.add(tag);
  }
  return {
    enabled: enabled ?? true,
    confirm: confirm ?? 'auto',
    tags: [...tags],
    ...(decidedBy === undefined ? {} : { decidedBy }),
  };
}

function findShadow(earlier: (CompiledRule | undefined)[], rule: CompiledRule): number | undefined {
  const aspects = (['enabled', 'confirm'] as const).filter((aspect) => rule.rule[aspect] !== undefined);
  // One positive pattern at a time: `a*` and `b*` of two earlier rules together shadow a rule for `a*` and `b*`.
  const parts: (Pattern | undefined)[] = rule.positive.length > 0 ? rule.positive : [undefined];
  const shadows: number[] = [];
  for (const aspect of aspects) {
    for (const part of parts) {
      const index = earlier.findIndex(
        (candidate) => candidate?.rule[aspect] !== undefined && ruleCovers(candidate, rule, part),
      );
      if (index < 0) return undefined;
      shadows.push(index);
    }
  }
  return shadows[0];
}

function ruleCovers(outer: CompiledRule, inner: CompiledRule, part: Pattern | undefined): boolean {
  return (
    serverCovers(outer, inner) &&
    (outer.positive.length === 0 || outer.positive.some((whole) => partCovered(whole, part))) &&
    // What the outer rule excludes must be excluded by the inner one as well.
    outer.negative.every((excluded) => inner.negative.some((wider) => covers(wider, excluded)))
  );
}

function partCovered(whole: Pattern, part: Pattern | undefined): boolean {
  return part ? covers(whole, part) : covers(whole, everything);
}

const everything: Pattern = parsePattern('*');

function serverCovers(outer: CompiledRule, inner: CompiledRule): boolean {
  if (!outer.server) return true;
  if (!inner.server) return false;
  if (outer.rule.server?.toLowerCase() === inner.rule.server?.toLowerCase()) return true;
  if (outer.server.negated || inner.server.negated) return false;
  // The inner rule also matches the server that bears its text as a name, whatever the text means as a pattern.
  return covers(outer.server, inner.server) && accepts(outer.server, subject(inner.rule.server ?? ''));
}

/** Server and pattern of a rule for this one tool alone, whatever its name would mean as a pattern. */
export function ruleFor(server: string, tool: string): { server: string; pattern: string[] } {
  // Globs accept any case, and another tool may differ in nothing else.
  const exactly = (name: string) => `/^${name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}$/`;
  return { server: /^[\w. -]+$/.test(server) ? server : exactly(server), pattern: [exactly(tool)] };
}
