/** Detects duplicate keys in JSON text. */

/**
 * Returns true if no object in `text` has a duplicate key. In valid JSON a colon follows each key and otherwise only occurs in strings,
 * so if the text has more colons than the parsed `value`, a duplicate key was dropped.
 */
export function hasUniqueKeys(text: string, value: unknown): boolean {
  return !escapedColon.test(text) && colonsIn(text) === colonsOf(value);
}

/**
 * A colon written like this counts only in the parsed value, so it could hide a dropped key. Ordinary programs never
 * write it.
 */
const escapedColon = /\\u003a/i;

function colonsOf(value: unknown): number {
  if (typeof value === 'string') return colonsIn(value);
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += colonsOf(item);
  else
    for (const key of Object.keys(value))
      count += 1 + colonsIn(key) + colonsOf((value as Record<string, unknown>)[key]);
  return count;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}
