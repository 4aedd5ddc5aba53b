/** A call's arguments as the history keeps them: secrets masked, and no more work than what is kept is worth. */
import { asWritten, textKept } from '../lines/lines.ts';
import { redact } from '../secrets/secrets.ts';

const mostKept = 2_000;
/** Masking makes a text shorter, so a little more than is kept is looked at. */
const mostRead = 4_000;
/** A token that the cut went through has no known shape any more; longer ones are rare. */
const longestToken = 500;

/** Numbers that may have lost digits when they were read. */
const longNumber = /\d{16}|\d\.?[eE]/;

/** JSON, at most 2,000 characters, of which a longer one says so. Long numbers have the digits that the server got. */
export function auditedArguments(args: Record<string, unknown>): string {
  const written = textKept(args);
  const isShort = typeof written === 'string' && written.length <= mostKept;
  // Most arguments: nothing to shorten, to mask or to put otherwise.
  if (isShort && !longNumber.test(written) && redact(args) === args) return written;
  const text = keptText(args);
  return longNumber.test(isShort ? written : text) ? keptText(asWritten(args)) : text;
}

function keptText(args: Record<string, unknown>): string {
  const budget = { left: mostRead };
  const text = JSON.stringify(redact(excerpt(args, budget)));
  return text.length > mostKept || budget.left <= 0 ? `${text.slice(0, mostKept)}… (shortened)` : text;
}

function excerpt(value: unknown, budget: { left: number }): unknown {
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
      items.push(excerpt(item, budget));
    }
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (budget.left <= 0) break;
    budget.left -= name.length;
    fields.push([name, excerpt(item, budget)]);
  }
  return Object.fromEntries(fields);
}

function cut(text: string, length: number): string {
  const kept = text.slice(0, length);
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), kept.length - longestToken, 0))}…`;
}
