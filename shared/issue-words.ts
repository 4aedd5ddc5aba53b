/** What is wrong with a value, in a person's words: the same in a report on the config file and beside a field. */
import type * as z from 'zod';

/** `shown` is how the value may be shown, `a string` where it may be a secret. Parse with `reportInput`. */
export function issueWords(issue: z.core.$ZodIssue, shown: string): string {
  const got = issue.input === undefined ? 'it is missing' : `not ${shown}`;
  // Of the right kind already: where the value itself may be a secret there is nothing to add.
  const notThis = issue.input !== undefined && shown === `a ${typeof issue.input}` ? '' : `, ${got}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}, ${got}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}, ${got}`;
    case 'invalid_union':
      if (issue.discriminator)
        return `must say "type": "stdio" with a "command", or "type": "http" or "sse" with a "url", ${got}`;
      return `must be ${issue.message}, ${got}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}${notThis}`;
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : notThis}`;
    case 'invalid_format':
    case 'custom':
      return `must be ${issue.message}${notThis}`;
    default:
      return issue.message;
  }
}

/** Of an address that stands among those of its server twice. */
export const repeatedAddressWords = 'is an address that this server has already';

/** The places in `replicas` whose address the server has already. */
export function repeatedAddresses(url: string, replicas: readonly string[]): number[] {
  return replicas.flatMap((address, place) => ([url, ...replicas.slice(0, place)].includes(address) ? [place] : []));
}

const kinds: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  int: 'a whole number',
  boolean: 'true or false',
};

function article(expected: string): string {
  return kinds[expected] ?? `a ${expected}`;
}
