/** Decides which server a resource belongs to if several servers list resources and templates. */
import { RE2JS } from 're2js';

/** The resources of one server. Servers are in the order of the configuration. */
export interface ListedResources {
  server: string;
  uris: readonly string[];
  uriTemplates: readonly string[];
}

/** Longer URIs are not matched against templates. */
const maxUriLength = 4_096;
const maxTemplateLength = 1_000;
const maxExpressions = 20;
/** Templates of one server that are considered, and those of them whose patterns are matched: each takes up to 0.2 ms. */
const maxTemplates = 2_000;
const maxMatched = 100;

/**
 * The server that a URI belongs to, by the first rule that applies:
 * - The server that lists the URI. If several servers list it, it has no owner, because it is ambiguous.
 * - The server whose matching template has the longest literal prefix.
 * - The only server that lists anything with the URI's scheme, because tools link to resources that no list contains.
 * A template counts only if its literal prefix contains the scheme; otherwise, one server could claim all resources. A template
 * of a scheme and one wildcard says nothing about a URI.
 */
export function resourceOwner(
  listed: readonly ListedResources[],
  uri: string,
): { server: string } | { ambiguous: string[] } | undefined {
  const listing = listed.filter(({ uris }) => uris.includes(uri)).map(({ server }) => server);
  if (listing.length > 0) return ownerAmong(listing);
  const matching = longestMatches(listed, uri);
  if (matching.length > 0) return ownerAmong(matching);
  const scheme = schemeOf(uri);
  if (scheme === undefined) return undefined;
  const related = listed.filter(({ uris, uriTemplates }) =>
    [...uris, ...uriTemplates].some((other) => schemeOf(other) === scheme),
  );
  const [only, ...others] = related;
  return only && others.length === 0 ? { server: only.server } : undefined;
}

function ownerAmong(servers: string[]): { server: string } | { ambiguous: string[] } {
  const [first, ...others] = new Set(servers);
  return others.length === 0 ? { server: first as string } : { ambiguous: [first as string, ...others] };
}

/** `skill://{+path}` matches all of a scheme; `note://{id}` only one segment. */
const wildcard = /^[a-z][a-z0-9+.-]{0,40}:\/{0,3}\{\+[^{}]*\}$/i;

function longestMatches(listed: readonly ListedResources[], uri: string): string[] {
  let servers: string[] = [];
  let longest = 0;
  for (const { server, uriTemplates } of listed) {
    // Each server has its own limit, so that no server can hide the templates of another.
    let left = maxMatched;
    for (const template of uriTemplates.slice(0, maxTemplates)) {
      const { length } = literalPrefix(template);
      if (length < longest || left === 0 || wildcard.test(template) || !hasLiterals(template, uri)) continue;
      left -= 1;
      if (!matchesTemplate(template, uri)) continue;
      if (length > longest) servers = [];
      longest = length;
      servers.push(server);
    }
  }
  return servers;
}

/** Whether all literal parts of the template occur in the URI, in their order: quicker than a pattern, and usually false. */
function hasLiterals(template: string, uri: string): boolean {
  if (template.length > maxTemplateLength || uri.length > maxUriLength) return false;
  let at = 0;
  for (const literal of template.split(/\{[^{}]*\}/)) {
    const found = uri.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return true;
}

/** Whether a URI template (RFC 6570) with a literal scheme produces `uri`. Takes time linear in the length of the URI. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (uri.length > maxUriLength || schemeOf(literalPrefix(template)) === undefined) return false;
  if (!uri.startsWith(literalPrefix(template))) return false;
  return patternOf(template)?.matcher(uri).matches() ?? false;
}

const patterns = new Map<string, RE2JS | undefined>();
const maxPatterns = 5_000;

/** Undefined for a template that is malformed or too complex. */
function patternOf(template: string): RE2JS | undefined {
  if (patterns.has(template)) return patterns.get(template);
  const source = sourceOf(template);
  const pattern = source === undefined ? undefined : RE2JS.compile(source, RE2JS.DOTALL);
  if (patterns.size >= maxPatterns) patterns.clear();
  patterns.set(template, pattern);
  return pattern;
}

function sourceOf(template: string): string | undefined {
  if (template.length > maxTemplateLength) return undefined;
  // Every other piece is the content of an expression.
  const pieces = template.split(/\{([^{}]*)\}/);
  if (pieces.length > 2 * maxExpressions + 1) return undefined;
  const isMalformed = pieces.some((piece, index) => index % 2 === 0 && /[{}]/.test(piece));
  if (isMalformed) return undefined;
  return pieces.map((piece, index) => (index % 2 === 0 ? RE2JS.quote(piece) : expressionSource(piece))).join('');
}

/** The values that an expression can produce, by its operator. */
function expressionSource(expression: string): string {
  const operator = /^[+#./;?&]/.exec(expression)?.[0] ?? '';
  const path = '[^/?#]';
  switch (operator) {
    case '+':
      return '.+';
    case '#':
      return '(?:#.*)?';
    case '/':
      return expression.endsWith('*') ? `(?:/${path}+)*` : `(?:/${path}+)+`;
    case '.':
      return `(?:\\.${path}+)?`;
    case ';':
      return `(?:;${path}*)*`;
    case '?':
      return '(?:\\?[^#]*)?';
    case '&':
      return '(?:&[^#]*)?';
    default:
      return `${path}+`;
  }
}

function literalPrefix(template: string): string {
  const end = template.indexOf('{');
  return end < 0 ? template : template.slice(0, end);
}

function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]{0,40}):/i.exec(uri)?.[1]?.toLowerCase();
}
