/** Whether a key stands twice in the text of a value. */

/**
 * In valid JSON a colon stands behind each key, and otherwise only within texts: where the text has more of them than the value
 * that was read from it, something got lost.
 */
export function keysStandOnce(text: string, value: unknown): boolean {
  return !escapedColon.test(text) && colonsIn(text) === colonsOf(value);
}

/** It could make up for a lost one; nobody who means well writes it. */
const escapedColon = /\\u003a/i;

function colonsOf(value: unknown): number {
  if (typeof value === 'string') return colonsIn(value);
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += colonsOf(item);
  else for (const [key, item] of Object.entries(value)) count += 1 + colonsIn(key) + colonsOf(item);
  return count;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}
