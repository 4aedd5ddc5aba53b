/** The secrets in a URL: its password, values of its query and fragment, and long random parts of its path. */

export interface UrlSecret {
  /** `password`, the name of the query value, or `path`. */
  name: string;
  kind: 'password' | 'query' | 'path';
  value: string;
  /** Where the value begins in the text. */
  offset: number;
}

/** Secrets in `text` in order, none when it is no URL; values as they are written there, so percent-encoded. */
export function secretsInUrl(text: string, looksSecret: (name: string, value: string) => boolean): UrlSecret[] {
  const start = /^\s*[a-z][a-z0-9+.-]{1,20}:\/\//i.exec(text)?.[0].length;
  if (start === undefined) return [];
  const found: UrlSecret[] = [];
  const authorityEnd = indexOfAny(text, /[/?#]/g, start);
  const at = text.lastIndexOf('@', authorityEnd - 1);
  const colon = text.indexOf(':', start);
  if (at > start && colon >= start && colon < at) {
    const value = text.slice(colon + 1, at);
    // `postgres://user:password@host` is the example of every manual, and a password all the same.
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
    const name = decoded(pair.slice(0, equals));
    if (looksSecret(name, decoded(value))) found.push({ name, kind: 'query', value, offset: offset + equals + 1 });
  });
  return found;
}

/** Webhooks and hosted servers put the key in the path. UUIDs and words are too often mere names. */
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
