/** The beginning of a JSON value, at a cost that does not depend on the size of the value. */
import { hasOriginalText } from './raw-json.ts';

/** Never cut a token up to this length: redaction patterns do not match half a token. Longer tokens are rare. */
const maxTokenLength = 500;

/** Returns `value` if it is short enough, otherwise about its first `maxCharacters` characters in the same structure. */
export function excerpt(value: unknown, maxCharacters: number): { value: unknown; isShortened: boolean } {
  if (!isMuchLonger(value, maxCharacters) && leftAfter(value, maxCharacters) > 0) return { value, isShortened: false };
  const budget = { left: maxCharacters };
  const part = partOf(value, budget);
  return { value: part, isShortened: budget.left <= 0 };
}

/** Like `excerpt`, but returns JSON text. A value that `parseLine` parsed keeps its original text. */
export function excerptText(value: unknown, maxCharacters: number): { text: string; isShortened: boolean } {
  const text = hasOriginalText(value);
  if (typeof text === 'string' && text.length <= maxCharacters) return { text, isShortened: false };
  const part = excerpt(value, maxCharacters);
  return { text: JSON.stringify(part.value), isShortened: part.isShortened };
}

/** The start of a text, as a text of its own: that of `slice` would keep the whole text in memory. */
export const startOf = (text: string, characters: number): string =>
  text.length <= characters ? text : Buffer.from(text.slice(0, characters), 'utf16le').toString('utf16le');

const perValue = 8;

/** Whether measuring would be pointless: reading the keys of a large object takes longer than everything else here. */
function isMuchLonger(value: unknown, maxCharacters: number): boolean {
  return (hasOriginalText(value)?.length ?? 0) > 10 * maxCharacters;
}

/** Returns how many characters of `budget` remain after `value`; stops counting at 0. */
function leftAfter(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length;
  let left = budget - perValue;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) for (let at = 0; at < value.length && left > 0; at += 1) left = leftAfter(value[at], left);
  else
    for (const name of Object.keys(value)) {
      if (left <= 0) break;
      left = leftAfter((value as Record<string, unknown>)[name], left - name.length);
    }
  return left;
}

function partOf(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') {
    const { left } = budget;
    budget.left -= value.length;
    return value.length <= left ? value : cut(value, Math.max(0, left));
  }
  budget.left -= perValue;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (budget.left <= 0) break;
      items.push(partOf(item, budget));
    }
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (budget.left <= 0) break;
    budget.left -= name.length;
    fields.push([name, partOf((value as Record<string, unknown>)[name], budget)]);
  }
  return Object.fromEntries(fields);
}

function cut(text: string, length: number): string {
  const kept = text.slice(0, length);
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), kept.length - maxTokenLength, 0))}…`;
}
