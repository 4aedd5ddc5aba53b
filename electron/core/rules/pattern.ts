/**
 * One entry of a rule's `pattern` list: a glob, a regular expression `/…/flags`, or either with `!` in front. A pattern
 * is matched against the tool's name, or against `server:tool` if it contains a colon.
 */
import { RE2JS } from 're2js';
import { coversGlob, type Glob, literalOf, matchGlob, parseGlob } from './glob.ts';

interface PatternBase {
  negated: boolean;
  source: string;
  /** Matched against `server:tool`. */
  qualified: boolean;
}

export type Pattern =
  | (PatternBase & { kind: 'glob'; globs: Glob[] })
  | (PatternBase & { kind: 'regex'; flags: string; regex: RE2JS; hasBoundary: boolean });

/** A string to match, lowercased once per tool instead of once per rule. */
export interface Subject {
  exact: string;
  lower: string;
}

/** Tool names are far shorter, and the time to compare two patterns grows with the product of their lengths. */
const maxLength = 1_000;

const regexForm = /^\/(.+)\/([a-z]*)$/s;

/** Parses one entry. Throws an Error that quotes the entry and says what is wrong with it. */
export function parsePattern(entry: string): Pattern {
  const negated = entry.startsWith('!');
  const source = negated ? entry.slice(1) : entry;
  try {
    if (source === '') throw new Error('it is empty');
    if (source.length > maxLength) throw new Error(`it has more than ${maxLength} characters; use several patterns`);
    if (!source.startsWith('/')) {
      // `!(a|b)` would otherwise be a negation.
      if (/[!@+?*]\([^)]*\|/.test(entry)) throw new Error('groups like "(a|b)" are not part of globs; write {a,b}');
      return { kind: 'glob', negated, source, qualified: source.includes(':'), globs: parseGlob(source) };
    }
    const form = regexForm.exec(source);
    if (!form) throw new Error('it starts like a regular expression but has no closing "/"');
    const [, body = '', flags = ''] = form;
    const sorted = [...flags].sort().join('');
    return {
      kind: 'regex',
      negated,
      source: body,
      qualified: hasLiteralColon(body),
      flags: sorted,
      regex: compile(body, flags),
      hasBoundary: /\\b/.test(body),
    };
  } catch (error) {
    throw new Error(`The pattern "${shortened(entry)}" is invalid: ${(error as Error).message}.`, { cause: error });
  }
}

const shortened = (entry: string) => (entry.length > maxLength ? `${entry.slice(0, 100)}…` : entry);

/** Whether the expression contains a literal colon, as opposed to one in `(?:…)`, `(?i:…)` or `[[:alpha:]]`. */
function hasLiteralColon(source: string): boolean {
  return source.replace(/\(\?[a-zA-Z-]*:|\[:\^?[a-z]+:\]/g, '').includes(':');
}

/** Whether the pattern matches the subject; ignores `negated`. */
export function matches(pattern: Pattern, subject: Subject): boolean {
  if (pattern.kind === 'regex') {
    const { regex, hasBoundary } = pattern;
    // `\b` also means the boundaries in read_file and readFile, which a regular expression takes for one word.
    return regex.test(subject.exact) || (hasBoundary && regex.test(spaced(subject.exact)));
  }
  return pattern.globs.some((glob) => matchGlob(glob, subject.lower));
}

const spaced = (name: string) => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ');

/** Maximum number of token pairs in a comparison of globs; more would take several milliseconds. */
const maxComparisons = 1_000_000;
const tokensOf = (globs: readonly Glob[]) => globs.reduce((sum, { tokens }) => sum + tokens.length, 0);

/** Whether `outer` certainly matches everything that `inner` matches; false if comparing them would take too long. */
export function covers(outer: Pattern, inner: Pattern): boolean {
  if (outer.kind === 'glob' && outer.globs.some((glob) => glob.tokens.length === 1 && glob.tokens[0]?.kind === 'many'))
    return true;
  if (outer.qualified !== inner.qualified) return false;
  if (inner.kind === 'regex')
    return outer.kind === 'regex' && outer.source === inner.source && outer.flags === inner.flags;
  if (outer.kind === 'glob') {
    if (tokensOf(outer.globs) * tokensOf(inner.globs) > maxComparisons) return false;
    return inner.globs.every((part) => outer.globs.some((whole) => coversGlob(whole, part)));
  }
  // Globs ignore case, so a case-sensitive expression never covers one.
  return outer.flags.includes('i') && inner.globs.every((part) => regexCovers(outer.source, outer.regex, part));
}

function regexCovers(source: string, regex: RE2JS, part: Glob): boolean {
  const literal = literalOf(part);
  if (literal !== undefined) return regex.test(literal);
  // An unanchored expression that matches the literal run also matches every longer string that contains it.
  return !/[\^$]|\\[bBAzZ]|\(\?/.test(source) && regex.test(part.needle);
}

function compile(source: string, flags: string): RE2JS {
  let bits = 0;
  for (const flag of flags) {
    if (flag === 'i') bits |= RE2JS.CASE_INSENSITIVE;
    else if (flag === 'm') bits |= RE2JS.MULTILINE;
    else if (flag === 's') bits |= RE2JS.DOTALL;
    // `g`, `u` and `y` are often written out of habit and do not affect whether a name matches.
    else if (!'guy'.includes(flag)) throw new Error(`"${flag}" is not a flag; use i, m or s`);
  }
  if (/(?<!\\)\(\?(=|!|<=|<!)/.test(source))
    throw new Error('lookahead and lookbehind are not supported; add a second pattern with "!" instead');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), bits);
  } catch (error) {
    throw new Error((error as Error).message.replace(/^error parsing regexp: /, ''), { cause: error });
  }
}
