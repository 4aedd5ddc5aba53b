/** The beginning of a JSON value, at a cost that does not depend on the size of the value. */

/** A token must not be cut, because no pattern matches half a token. Longer tokens are rare. */
const maxTokenLength = 500;

/** Returns about the first `maxCharacters` of `value`, in the same structure. */
export function excerpt(value: unknown, maxCharacters: number): { value: unknown; isShortened: boolean } {
  const budget = { left: maxCharacters };
  const part = partOf(value, budget);
  return { value: part, isShortened: budget.left <= 0 };
}

function partOf(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') {
    const { left } = budget;
    budget.left -= value.length;
    return value.length <= left ? value : cut(value, Math.max(0, left));
  }
  budget.left -= 8;
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
  for (const [name, item] of Object.entries(value)) {
    if (budget.left <= 0) break;
    budget.left -= name.length;
    fields.push([name, partOf(item, budget)]);
  }
  return Object.fromEntries(fields);
}

function cut(text: string, length: number): string {
  const kept = text.slice(0, length);
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), kept.length - maxTokenLength, 0))}…`;
}
