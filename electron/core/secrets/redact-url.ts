/** Finds secrets in a URL: the password, values in the query and fragment, and long random path segments. */
import { decodedUri } from '../../../shared/decoded-uri.ts';

export interface UrlSecret {
  /** `password`, the name of the query parameter, or `path`. */
  name: string;
  kind: 'password' | 'query' | 'path';
  value: string;
  /** The offset of the value in the URL. */
  offset: number;
}

/** The beginning of a URL as browsers parse it: in web URLs, slashes may be backslashes or missing. */
const beginning = /^\s*(?:https?:[\\/]*|[a-z][a-z0-9+.-]{1,20}:\/\/)/i;

/** Returns the secrets in `text` in order, percent-encoded as written; none when `text` is not a URL. */
export function secretsInUrl(text: string, looksSecret: (name: string, value: string) => boolean): UrlSecret[] {
  const start = beginning.exec(text)?.[0].length;
  if (start === undefined) return [];
  const found: UrlSecret[] = [];
  const authorityEnd = indexOfAny(text, /[/\\?#]/g, start);
  const at = text.lastIndexOf('@', authorityEnd - 1);
  const colon = text.indexOf(':', start);
  if (at > start && colon >= start && colon < at) {
    const value = text.slice(colon + 1, at);
    // Even the documentation default `postgres://user:password@host` may be a real password.
    if (value !== '' && !value.includes('${'))
      found.push({ name: 'password', kind: 'password', value, offset: colon + 1 });
  }
  const pathEnd = indexOfAny(text, /[?#]/g, authorityEnd);
  forEachPart(text, authorityEnd, pathEnd, /\//g, (value, offset) => {
    if (looksRandomPart(value)) found.push({ name: 'path', kind: 'path', value, offset });
  });
  forEachPart(text, pathEnd, text.length, /[?#&]/g, (pair, offset) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) return;
    const value = pair.slice(equals + 1);
    const name = decodedUri(pair.slice(0, equals));
    if (looksSecret(name, decodedUri(value))) found.push({ name, kind: 'query', value, offset: offset + equals + 1 });
  });
  return found;
}

/** Webhooks and hosted servers put keys in the path. UUIDs and words are usually just names. */
function looksRandomPart(part: string): boolean {
  if (part.length < 24 || !/^[\w=.~-]+$/.test(part) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(part))
    return false;
  const longestRun = part.split(/[_.~-]/).reduce((most, run) => Math.max(most, run.length), 0);
  return longestRun >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part);
}

function forEachPart(
  text: string,
  from: number,
  to: number,
  separator: RegExp,
  visit: (part: string, at: number) => void,
): void {
  let start = from;
  while (start < to) {
    const end = Math.min(indexOfAny(text, separator, start), to);
    if (end > start) visit(text.slice(start, end), start);
    start = end + 1;
  }
}

function indexOfAny(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
