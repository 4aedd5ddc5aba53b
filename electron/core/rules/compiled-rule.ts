/** One rule with parsed patterns, and the tools that it matches. */
import { fail } from '../../../shared/failure.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import type { Category, SafetyLevel } from '../../../shared/model/tool.ts';
import { matches, type Pattern, parsePattern, type Subject } from './pattern.ts';

/** The properties of a tool that rules examine. */
export interface RuleTarget {
  server: string;
  name: string;
  safety?: SafetyLevel;
  category?: Category;
}

export interface CompiledRule {
  index: number;
  rule: Rule;
  server: Pattern | undefined;
  /** Empty means every tool. */
  positive: Pattern[];
  negative: Pattern[];
  safety: ReadonlySet<SafetyLevel> | undefined;
  category: ReadonlySet<Category> | undefined;
  isCatchAll: boolean;
}

/** Throws CONFIG_INVALID with the offending pattern. */
export function compileRule(rule: Rule, index: number): CompiledRule {
  try {
    const patterns = rule.pattern.map(parsePattern);
    const positive = patterns.filter((pattern) => !pattern.negated);
    const negative = patterns.filter((pattern) => pattern.negated);
    const selects = rule.server !== undefined || rule.safety !== undefined || rule.category !== undefined;
    const all = positive.length === 0 || positive.some(({ source }) => source === '*');
    return {
      index,
      rule,
      server: rule.server === undefined ? undefined : parsePattern(rule.server),
      positive,
      negative,
      safety: setOf(rule.safety),
      category: setOf(rule.category),
      isCatchAll: !selects && negative.length === 0 && all,
    };
  } catch (error) {
    throw fail('CONFIG_INVALID', (error as Error).message, {
      hint: 'Globs look like *github*, regular expressions like /^(create|update)_/i; "!" in front of a pattern excludes its matches.',
    });
  }
}

/**
 * A rule that matches no tool but still creates an allow-list, for every server if its server pattern is also invalid.
 */
export function neverMatching(rule: Rule, index: number): CompiledRule {
  let server: Pattern | undefined;
  try {
    server = rule.server === undefined ? undefined : parsePattern(rule.server);
  } catch {
    // Leave it undefined, so that the rule applies to every server.
  }
  const safety = new Set<SafetyLevel>();
  return { index, rule, server, positive: [], negative: [], safety, category: undefined, isCatchAll: false };
}

function setOf<T extends string>(value: T | T[] | undefined): ReadonlySet<T> | undefined {
  return value === undefined ? undefined : new Set(Array.isArray(value) ? value : [value]);
}

export interface Subjects {
  server: Subject;
  name: Subject;
  qualified: Subject;
}

export function subjectsOf(tool: RuleTarget): Subjects {
  return {
    server: subject(tool.server),
    name: subject(tool.name),
    qualified: subject(`${tool.server}:${tool.name}`),
  };
}

function subject(exact: string): Subject {
  return { exact, lower: exact.toLowerCase() };
}

export function ruleMatches(rule: CompiledRule, { server, name, qualified }: Subjects, tool: RuleTarget): boolean {
  if (!serverMatches(rule, server)) return false;
  if (rule.safety && !(tool.safety && rule.safety.has(tool.safety))) return false;
  if (rule.category && !(tool.category && rule.category.has(tool.category))) return false;
  const hit = (pattern: Pattern) => matches(pattern, pattern.qualified ? qualified : name);
  if (rule.positive.length > 0 && !rule.positive.some(hit)) return false;
  return !rule.negative.some(hit);
}

/** Matches the exact name or the pattern; a negated pattern matches every other server. */
export function serverMatches({ rule, server: pattern }: CompiledRule, server: Subject): boolean {
  if (!pattern) return true;
  // A server name may contain glob characters: "files [work]" matches the server with that exact name.
  return rule.server?.toLowerCase() === server.lower || matches(pattern, server) !== pattern.negated;
}
