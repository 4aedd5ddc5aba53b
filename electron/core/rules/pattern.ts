/** One entry of a rule's `pattern` list: a glob, a regular expression `/…/flags`, or either with `!` in front. */
import { RE2JS } from 're2js';
import { coversGlob, type Glob, literalOf, matchGlob, parseGlob } from './glob.ts';

export type Pattern =
  | { kind: 'glob'; negated: boolean; source: string; globs: Glob[] }
  | { kind: 'regex'; negated: boolean; source: string; flags: string; regex: RE2JS };

/** A text to try, in both forms, so that the lower case is made once per tool and not once per rule. */
export interface Subject {
  exact: string;
  lower: string;
}

const regexForm = /^\/(.+)\/([a-z]*)$/s;

/** Reads one entry. Throws an Error that quotes the entry and says what is wrong with it. */
export function parsePattern(entry: string): Pattern {
  const negated = entry.startsWith('!');
  const source = negated ? entry.slice(1) : entry;
  try {
    if (source === '') throw new Error('it is empty');
    if (!source.startsWith('/')) {
      // The "!" of `!(a|b)` would be read as ours.
      if (/[!@+?*]\([^)]*\|/.test(entry)) throw new Error('groups like "(a|b)" are not part of globs; write {a,b}');
      return { kind: 'glob', negated, source, globs: parseGlob(source) };
    }
    const form = regexForm.exec(source);
    if (!form) throw new Error('it starts like a regular expression and has no closing "/"');
    const [, body = '', flags = ''] = form;
    return { kind: 'regex', negated, source: body, flags: [...flags].sort().join(''), regex: compile(body, flags) };
  } catch (error) {
    throw new Error(`The pattern "${entry}" cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

/** Whether the pattern accepts the subject, its negation left aside. */
export function accepts(pattern: Pattern, subject: Subject): boolean {
  if (pattern.kind === 'regex') return pattern.regex.test(subject.exact);
  return pattern.globs.some((glob) => matchGlob(glob, subject.lower));
}

/** Whether `outer` certainly accepts everything that `inner` does. */
export function covers(outer: Pattern, inner: Pattern): boolean {
  if (outer.kind === 'glob' && outer.globs.some((glob) => glob.tokens.length === 1 && glob.tokens[0]?.kind === 'many'))
    return true;
  if (inner.kind === 'regex')
    return outer.kind === 'regex' && outer.source === inner.source && outer.flags === inner.flags;
  if (outer.kind === 'glob') return inner.globs.every((part) => outer.globs.some((whole) => coversGlob(whole, part)));
  // Globs accept any case; an expression that tells the cases apart never covers one.
  return outer.flags.includes('i') && inner.globs.every((part) => regexCovers(outer.source, outer.regex, part));
}

function regexCovers(source: string, regex: RE2JS, part: Glob): boolean {
  const literal = literalOf(part);
  if (literal !== undefined) return regex.test(literal);
  // Found anywhere in the run means found anywhere in a longer text, as long as nothing in it looks at its surroundings.
  return !/[\^$]|\\[bBAzZ]|\(\?/.test(source) && regex.test(part.needle);
}

function compile(source: string, flags: string): RE2JS {
  let bits = 0;
  for (const flag of flags) {
    if (flag === 'i') bits |= RE2JS.CASE_INSENSITIVE;
    else if (flag === 'm') bits |= RE2JS.MULTILINE;
    else if (flag === 's') bits |= RE2JS.DOTALL;
    // `g`, `u` and `y` say nothing about whether a name matches, yet people write them out of habit.
    else if (!'guy'.includes(flag)) throw new Error(`"${flag}" is not a flag; use i, m or s`);
  }
  if (/(?<!\\)\(\?(=|!|<=|<!)/.test(source))
    throw new Error('look-ahead and look-behind are not supported; add a second pattern with "!" instead');
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), bits);
  } catch (error) {
    throw new Error((error as Error).message.replace(/^error parsing regexp: /, ''), { cause: error });
  }
}
