/** Finds and redacts values in Base64, wherever they are in the encoded text. */
import { redaction } from './token-patterns.ts';

const bitsPerByte = 8;
const bitsPerCharacter = 6;

/**
 * The characters that occur in the Base64 and Base64url forms of every text that contains the value. They depend on the
 * position of the value modulo three bytes. Characters at either end that also depend on other bytes are left out.
 */
export function encodedForms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const from = Math.ceil((offset * bitsPerByte) / bitsPerCharacter);
    const to = Math.floor(((offset + bytes.length) * bitsPerByte) / bitsPerCharacter);
    const form = text.slice(from, to);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A line break in Base64, plain or escaped in JSON. */
const lineBreak = /\\r\\n|\\n|\r?\n/g;
/** The shortest usual line length of Base64, less one group. */
const lineLength = 60;
const slash = 0x2f;
/** The maximum number of characters on either side that are redacted too. */
const maxAround = 4_096;

/** Redacts the Base64 around each of the `forms`. */
export function redactEncoded(text: string, forms: readonly string[]): string {
  if (forms.length === 0) return text;
  let result = text;
  for (const form of forms) if (result.includes(form)) result = redactAround(result, form);
  if (!isWrapped(result)) return result;
  const unwrapped = result.replace(lineBreak, '');
  for (const form of forms) {
    if (!unwrapped.includes(form)) continue;
    const parts = Array.from(form, (character) => character.replace('+', '\\+'));
    result = result.replace(new RegExp(parts.join(`(?:${lineBreak.source})?`), 'g'), redaction);
  }
  return result;
}

/** True if a line before a line break may be Base64. */
function isWrapped(text: string): boolean {
  for (const { index } of text.matchAll(lineBreak)) {
    let from = index;
    while (index - from < lineLength && from > 0 && isBase64(text.charCodeAt(from - 1))) from -= 1;
    if (index - from >= lineLength) return true;
  }
  return false;
}

function redactAround(text: string, form: string): string {
  let result = '';
  let done = 0;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, done)) {
    let from = at;
    let to = at + form.length;
    while (from > done && at - from < maxAround && isAround(text.charCodeAt(from - 1))) from -= 1;
    while (to < text.length && to - at < maxAround && isAround(text.charCodeAt(to))) to += 1;
    while (text[to] === '=') to += 1;
    // The letter after a backslash is part of a JSON escape.
    if (text[from - 1] === '\\' && from < at) from += 1;
    result += text.slice(done, from) + redaction;
    done = to;
  }
  return result + text.slice(done);
}

const base64 = new Set(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_', (c) => c.charCodeAt(0)),
);
const isBase64 = (code: number) => base64.has(code);
/** In a URL or path, a slash next to Base64 is not part of it. */
const isAround = (code: number) => code !== slash && isBase64(code);
