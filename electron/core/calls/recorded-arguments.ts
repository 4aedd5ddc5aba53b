/** Formats a call's arguments for the history: redacts secrets, and reads only the part that is kept. */
import { hasOriginalText, originalText } from '../jsonrpc/raw-json.ts';
import { redact } from '../secrets/redact.ts';

const maxKept = 2_000;
/** Read more characters than are kept, because redaction shortens the text. */
const maxRead = 4_000;
/** A token must not be cut, because no pattern matches half a token. Longer tokens are rare. */
const maxTokenLength = 500;

/** Numbers that may have lost digits when parsed. */
const longNumber = /\d{16}|\d\.?[eE]/;

/**
 * Returns JSON of at most 2,000 characters; longer JSON is marked as shortened. Numbers have the digits that the server
 * received.
 */
export function recordedArguments(args: Record<string, unknown>): string {
  const written = hasOriginalText(args);
  const isShort = typeof written === 'string' && written.length <= maxKept;
  // Most arguments need no redaction.
  if (isShort && !longNumber.test(written) && redact(args) === args) return written;
  const text = shortenedJson(args);
  return longNumber.test(isShort ? written : text) ? shortenedJson(originalText(args)) : text;
}

function shortenedJson(args: Record<string, unknown>): string {
  const budget = { left: maxRead };
  const text = JSON.stringify(redact(excerpt(args, budget)));
  return text.length > maxKept || budget.left <= 0 ? `${text.slice(0, maxKept)}… (shortened)` : text;
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
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), kept.length - maxTokenLength, 0))}…`;
}
