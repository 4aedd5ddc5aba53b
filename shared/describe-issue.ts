/** Describes a validation issue in plain words, for config file reports and form fields. */
import type * as z from 'zod';
import { anyOf, english, type Translate } from './message.ts';

/**
 * `shown` replaces the value in the message, for example `a string` if the value may be secret. Parse with
 * `reportInput`.
 */
export function describeIssue(issue: z.core.$ZodIssue, shown: string, t: Translate = english): string {
  const isType = shown === `a ${typeof issue.input}`;
  const got = issue.input === undefined ? t('but is missing') : t('not {value}', { value: isType ? t(shown) : shown });
  const withGot = (problem: string) => t('{problem}, {got}', { problem, got });
  // If the type is correct and the value may be secret, add nothing.
  const butGot = (problem: string) => (issue.input !== undefined && isType ? problem : withGot(problem));
  switch (issue.code) {
    case 'invalid_type':
      return withGot(t('must be {expected}', { expected: t(article(issue.expected)) }));
    case 'invalid_value': {
      const expected = anyOf(
        issue.values.map((value) => JSON.stringify(value)),
        t,
      );
      return withGot(t('must be {expected}', { expected }));
    }
    case 'invalid_union':
      if (issue.discriminator)
        return withGot(t('must have "type": "stdio" with a "command", or "type": "http" or "sse" with a "url"'));
      return withGot(t('must be {expected}', { expected: issue.message }));
    case 'too_small': {
      const minimum = String(issue.minimum);
      return issue.origin === 'string' ? t('must not be empty') : butGot(t('must be at least {minimum}', { minimum }));
    }
    case 'too_big': {
      const maximum = String(issue.maximum);
      if (issue.origin === 'array') return t('must not have more than {maximum} entries', { maximum });
      if (issue.origin === 'string') return t('must not be longer than {maximum} characters', { maximum });
      return butGot(t('must be at most {maximum}', { maximum }));
    }
    case 'invalid_format':
    case 'custom':
      return butGot(t('must be {expected}', { expected: issue.message }));
    default:
      return issue.message;
  }
}

/** The problem reported for a URL that is listed twice for one server. */
export const repeatedUrlProblem = 'is already a URL of this server';

/** Indexes in `replicas` of URLs that the server already has. */
export function repeatedUrls(url: string, replicas: readonly string[]): number[] {
  return replicas.flatMap((address, index) => ([url, ...replicas.slice(0, index)].includes(address) ? [index] : []));
}

// translated: the window passes them to its `t`
const kinds: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a string',
  int: 'a whole number',
  boolean: 'true or false',
};

function article(expected: string): string {
  return kinds[expected] ?? `a ${expected}`;
}
