/** Describes a validation issue in plain words, for config file reports and form fields. */
import type * as z from 'zod';

/**
 * `shown` replaces the value in the message, for example `a string` if the value may be secret. Parse with
 * `reportInput`.
 */
export function describeIssue(issue: z.core.$ZodIssue, shown: string): string {
  const got = issue.input === undefined ? 'it is missing' : `not ${shown}`;
  // The type is correct and the value may be secret, so add nothing.
  const butGot = issue.input !== undefined && shown === `a ${typeof issue.input}` ? '' : `, ${got}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}, ${got}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}, ${got}`;
    case 'invalid_union':
      if (issue.discriminator)
        return `must have "type": "stdio" with a "command", or "type": "http" or "sse" with a "url", ${got}`;
      return `must be ${issue.message}, ${got}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}${butGot}`;
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : butGot}`;
    case 'invalid_format':
    case 'custom':
      return `must be ${issue.message}${butGot}`;
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
