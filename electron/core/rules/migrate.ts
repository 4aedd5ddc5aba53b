/**
 * Converts rules that the user created in older versions. Those versions had no overrides or allow-lists, and matched a
 * pattern against both the tool's name and `server:tool`. Every decision stays the same.
 */
import type { Override, OwnRule } from '../../../shared/model/rule.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { compileRules } from './rules.ts';

export function migrateRules(rules: readonly OwnRule[]) {
  const kept: OwnRule[] = [];
  const overrides = new Map<string, Override>();
  for (const rule of rules) {
    const tool = exactTool(rule);
    if (!tool || decidedEarlier(kept, tool, rule)) {
      kept.push(withQualifiedPatterns(rule));
      continue;
    }
    const key = toolKey(tool.server, tool.name);
    const first = overrides.get(key);
    const merged: Override = { server: tool.server, tool: tool.name };
    const enabled = first?.enabled ?? rule.enabled;
    const confirm = first?.confirm ?? rule.confirm;
    if (enabled !== undefined) merged.enabled = enabled;
    if (confirm !== undefined) merged.confirm = confirm;
    overrides.set(key, merged);
  }
  // In those versions, an enabling rule did not disable other tools; a default now keeps them enabled.
  const isAllowList = kept.some((rule) => rule.active && rule.enabled === true);
  if (isAllowList) kept.push({ pattern: ['*'], enabled: true, active: true });
  return { rules: kept, overrides: [...overrides.values()] };
}

/**
 * The tool that a rule from the window names, with a plain name or an anchored, escaped expression; undefined if it
 * names no single tool.
 */
function exactTool({ server, pattern, tags, active }: OwnRule): { server: string; name: string } | undefined {
  const [only, ...others] = pattern;
  if (!active || tags?.length || server === undefined || only === undefined || others.length > 0) return undefined;
  const [serverName, name] = [literal(server, /^[\w. -]+$/), literal(only, /^[\w.-]+$/)];
  return serverName !== undefined && name !== undefined ? { server: serverName, name } : undefined;
}

function literal(pattern: string, plain: RegExp): string | undefined {
  if (plain.test(pattern)) return pattern;
  const body = /^\/\^(.*)\$\/$/s.exec(pattern)?.[1];
  if (body === undefined || /(?<!\\)(?:\\\\)*[.*+?()[\]{}|^$]/.test(body) || /\\\w/.test(body)) return undefined;
  return body.replace(/\\(.)/gs, '$1');
}

/** Whether an earlier rule that is kept already made the same decision. */
function decidedEarlier(earlier: OwnRule[], tool: { server: string; name: string }, rule: OwnRule): boolean {
  const set = compileRules(earlier);
  return earlier.some(
    (other, index) =>
      ((other.enabled !== undefined && rule.enabled !== undefined) ||
        (other.confirm !== undefined && rule.confirm !== undefined)) &&
      set.matches(index, tool),
  );
}

function isCatchAll({ server, pattern }: OwnRule): boolean {
  return server === undefined && (pattern.length === 0 || (pattern.length === 1 && pattern[0] === '*'));
}

/**
 * Adds patterns that match `server:tool` where the original did. A catch-all becomes an expression, because it used to
 * apply in its position rather than after all others.
 */
function withQualifiedPatterns(rule: OwnRule): OwnRule {
  if (isCatchAll(rule)) return { ...rule, pattern: ['/.*/'] };
  const added = rule.pattern.flatMap(qualifiedForms).filter((entry) => !rule.pattern.includes(entry));
  return added.length === 0 ? rule : { ...rule, pattern: [...rule.pattern, ...added] };
}

function qualifiedForms(entry: string): string[] {
  const sign = entry.startsWith('!') ? '!' : '';
  const source = entry.slice(sign.length);
  if (source.includes(':')) return [];
  const regex = /^\/(.+)\/([a-z]*)$/s.exec(source);
  if (regex) return regex[1]?.endsWith('$') ? [] : [`${sign}/(?:${regex[1]}).*:/${regex[2]}`];
  // A star also matched the colon, so add one form for each star that may have done so.
  return [...source.matchAll(/(?<!\\)\*+/g)].map(
    ({ index, 0: star }) => `${sign}${source.slice(0, index)}*:*${source.slice(index + star.length)}`,
  );
}
