/** The timeout of a question about a tool, from the first matching pattern of `elicitation.timeouts`. */
import { matches, type Pattern, parsePattern } from '../rules/pattern.ts';
import type { Config } from './schema.ts';

type Timeouts = Config['elicitation']['timeouts'];

/** Caches the parsed patterns by the list that they come from. Each reload creates a new list. */
const parsed = new WeakMap<Timeouts, { pattern: Pattern; timeoutMs: number }[]>();

/** The timeout in milliseconds; undefined if no pattern matches. */
export function questionTimeoutMs(timeouts: Timeouts, server: string, tool: string): number | undefined {
  let known = parsed.get(timeouts);
  if (!known) {
    known = timeouts.map(({ pattern, timeoutMs }) => ({ pattern: parsePattern(pattern), timeoutMs }));
    parsed.set(timeouts, known);
  }
  const found = known.find(({ pattern }) => {
    const name = pattern.qualified ? `${server}:${tool}` : tool;
    return matches(pattern, { exact: name, lower: name.toLowerCase() }) !== pattern.negated;
  });
  return found?.timeoutMs;
}
