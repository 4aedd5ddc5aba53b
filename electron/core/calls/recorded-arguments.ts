/** Formats a call's arguments for the history: redacts secrets, and reads only the part that is kept. */
import { excerpt } from '../jsonrpc/excerpt.ts';
import { hasOriginalText, originalText } from '../jsonrpc/raw-json.ts';
import { redact } from '../secrets/redact.ts';

const maxKept = 2_000;
/** Read more characters than are kept, because redaction shortens the text. */
const maxRead = 4_000;

/** Matches numbers that may have lost digits when parsed. */
const longNumber = /\d{16}|\d\.?[eE]/;

/**
 * Returns JSON of at most 2,000 characters; longer JSON is marked as shortened. Numbers keep the digits that the server
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
  const { value, isShortened } = excerpt(args, maxRead);
  const text = JSON.stringify(redact(value));
  return text.length > maxKept || isShortened ? `${text.slice(0, maxKept)}… (shortened)` : text;
}
