/** Finds rules that can never decide anything because other rules decide first. */
import type { CompiledRule } from './compiled-rule.ts';
import { covers, matches, type Pattern, parsePattern } from './pattern.ts';

const everything = parsePattern('*');

/** The index of the earlier rule that shadows `rule`; if several do so together, the first one found. */
export function findShadow(earlier: readonly CompiledRule[], rule: CompiledRule): number | undefined {
  const aspects = (['enabled', 'confirm', 'destinations'] as const).filter((aspect) => rule.rule[aspect] !== undefined);
  // Check each positive pattern separately: rules for `a*` and `b*` together shadow a later rule for both.
  const parts: (Pattern | undefined)[] = rule.positive.length > 0 ? rule.positive : [undefined];
  const shadows: CompiledRule[] = [];
  for (const aspect of aspects) {
    for (const part of parts) {
      const found = earlier.find(
        (candidate) => candidate.rule[aspect] !== undefined && ruleCovers(candidate, rule, part),
      );
      if (!found) return undefined;
      shadows.push(found);
    }
  }
  return shadows[0]?.index;
}

function ruleCovers(outer: CompiledRule, inner: CompiledRule, part: Pattern | undefined): boolean {
  return (
    serverCovers(outer, inner) &&
    selectionCovers(outer.safety, inner.safety) &&
    selectionCovers(outer.category, inner.category) &&
    (outer.positive.length === 0 || outer.positive.some((whole) => covers(whole, part ?? everything))) &&
    // The inner rule must also exclude everything that the outer rule excludes.
    outer.negative.every((excluded) => inner.negative.some((wider) => covers(wider, excluded)))
  );
}

function selectionCovers(outer: ReadonlySet<string> | undefined, inner: ReadonlySet<string> | undefined): boolean {
  return !outer || (inner !== undefined && [...inner].every((value) => outer.has(value)));
}

function serverCovers(outer: CompiledRule, inner: CompiledRule): boolean {
  if (!outer.server) return true;
  if (!inner.server) return false;
  const [wide, narrow] = [outer.rule.server?.toLowerCase() ?? '', inner.rule.server?.toLowerCase() ?? ''];
  if (wide === narrow) return true;
  if (outer.server.negated || inner.server.negated) return false;
  // The inner rule also matches the server whose name is literally the pattern.
  return covers(outer.server, inner.server) && matches(outer.server, { exact: inner.rule.server ?? '', lower: narrow });
}
