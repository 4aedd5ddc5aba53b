/** Redacts secrets in anything that is displayed, logged or recorded in the history. */

import type { Connection } from '../../../shared/model/server.ts';
import { isSecretName } from '../../../shared/secret-name.ts';
import { secretsInUrl } from './redact-url.ts';
import { isSecretSection, looksSecret } from './secret-names.ts';
import { redaction, redactTokens } from './token-patterns.ts';

/** Returns the command line or URL of a connection for display, with secrets redacted and placeholders as written. */
export function describeConnection(connection: Connection): string {
  if (connection.type !== 'stdio') return redactUrl(connection.url);
  return [redactText(connection.command), ...redactArguments(connection.args)].map(quoted).join(' ');
}

function quoted(part: string): string {
  return part === '' || /[\s"']/.test(part) ? JSON.stringify(part) : part;
}

/** Redacts secrets in arguments: `--api-key x`, `--api-key=x`, `KEY=x`, `Authorization: Bearer x`, URLs, known tokens. */
export function redactArguments(args: readonly string[]): string[] {
  return args.map((arg, index) => redactArgument(arg, args[index - 1]));
}

/** Redacts one argument; `before` is the preceding argument. */
export function redactArgument(arg: string, before: string | undefined): string {
  const flag = flagBefore(arg, before);
  if (flag !== undefined && looksSecret(flag, withoutScheme(arg))) return schemeOf(arg) + redaction;
  return redactText(arg);
}

/** Returns the name of the flag that takes `arg` as its value; undefined when `before` is not such a flag. */
export function flagBefore(arg: string, before: string | undefined): string | undefined {
  const isFlag =
    before !== undefined && /^-{1,2}[A-Za-z]/.test(before) && !before.includes('=') && !arg.startsWith('-');
  return isFlag ? before.replace(/^-+/, '') : undefined;
}

/** Returns the `Bearer ` or `Basic ` prefix of a value, or an empty string. */
export function schemeOf(text: string): string {
  return /^\s{0,9}(?:Bearer|Basic|Token|ApiKey)\s{1,9}/i.exec(text)?.[0] ?? '';
}

export function withoutScheme(text: string): string {
  return text.slice(schemeOf(text).length);
}

/**
 * Matches `name=value` and `name: value`, with optional quotes and schemes. A name may start only at the beginning of a
 * run of its characters, which keeps matching linear.
 */
const namedValue =
  /(?<![\w.-])(-{0,2}[\w.-]{1,80}["']?\s{0,3}[=:]\s{0,3}["']?)((?:Bearer|Basic|Token|ApiKey)\s{1,9})?([^\s"'&,;<>]+)/gi;
const schemeAndValue = /\b(Bearer|Basic)(\s{1,9})([\w+/=.~-]{8,})/gi;

/** Redacts tokens of known shapes, named secret values, and secrets in URLs in free text. */
export function redactText(text: string): string {
  // These checks are far cheaper than the expressions, and every call's arguments pass through here.
  const plain = text.includes('://') ? text.replace(/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]{1,8000}/gi, redactUrl) : text;
  return redactTokens(redactSchemes(/[=:]/.test(plain) ? redactNamedValues(plain) : plain));
}

function redactNamedValues(text: string): string {
  return text.replace(namedValue, (whole, start: string, scheme: string | undefined, value: string) => {
    const name = start.replace(/["'\s=:]+$/, '').replace(/^-+/, '');
    // `https://…` looks like a name with a value; redactUrl has handled it.
    if (value.startsWith('//') || value.includes(redaction) || !isSecretName(name) || !looksSecret(name, value))
      return whole;
    return start + (scheme ?? '') + redaction;
  });
}

function redactSchemes(text: string): string {
  return text.replace(schemeAndValue, (whole, scheme: string, space: string, value: string) =>
    looksSecret('token', value) && /\d|[A-Z]/.test(value) ? scheme + space + redaction : whole,
  );
}

/** Redacts the secrets in a URL. Edits the string in place, which keeps `${VAR}` readable. */
export function redactUrl(text: string): string {
  let result = '';
  let done = 0;
  for (const { offset, value } of secretsInUrl(text, looksSecret)) {
    result += text.slice(done, offset) + redaction;
    done = offset + value.length;
  }
  return redactTokens(result + text.slice(done));
}

/** Deeper levels are cut off, which bounds the cost of hostile input. */
const maxDepth = 64;

/**
 * Redacts everything in `value` that looks secret, for the history and logs. Returns the same object when it contains no
 * secret. Cycles and excess depth become "…".
 */
export function redact(value: unknown): unknown {
  return redactInside(value, '', false, 0, new Set());
}

/** Parses JSON, redacts everything in it that looks secret, and then each string with `redactValues`. */
export function parseRedacted(json: string, redactValues: (text: string) => string): Record<string, unknown> {
  const text = JSON.stringify(redact(JSON.parse(json)));
  return JSON.parse(text, (_key, value) => (typeof value === 'string' ? redactValues(value) : value));
}

function redactInside(value: unknown, name: string, all: boolean, depth: number, above: Set<object>): unknown {
  if (typeof value === 'string') {
    if (value === '') return value;
    return all || looksSecret(name, withoutScheme(value)) ? redactNamed(value, name, all) : redactText(value);
  }
  if (typeof value === 'number' || typeof value === 'bigint') return all || isSecretName(name) ? redaction : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth || above.has(value)) return '…';
  above.add(value);
  const copy = Array.isArray(value)
    ? redactList(value, name, all, depth, above)
    : redactRecord(value, all, depth, above);
  above.delete(value);
  return copy;
}

/** Redacts only the secret part of a string under a harmless name, and the whole string under a secret name. */
function redactNamed(value: string, name: string, all: boolean): string {
  if (!all && !isSecretName(name)) return redactText(value) === value ? redaction : redactText(value);
  return all ? redaction : schemeOf(value) + redaction;
}

function redactList(list: unknown[], name: string, all: boolean, depth: number, above: Set<object>): unknown[] {
  // A list of strings may be a command line, where a flag names the next argument.
  const commandLine = !all && !isSecretName(name) && list.every((item) => typeof item === 'string');
  const result = commandLine
    ? redactArguments(list as string[])
    : list.map((item) => redactInside(item, name, all, depth + 1, above));
  return result.every((item, index) => Object.is(item, list[index])) ? list : result;
}

function redactRecord(record: object, all: boolean, depth: number, above: Set<object>): object {
  const { name, key } = record as { name?: unknown; key?: unknown };
  const listedName = typeof name === 'string' ? name : typeof key === 'string' ? key : '';
  const fields = Object.keys(record);
  const items = Object.values(record);
  const values = fields.map((field, index) => {
    // `{name: "API_KEY", value: "x"}` is the list form of a setting.
    const effective = field === 'value' && isSecretName(listedName) ? listedName : field;
    return redactInside(items[index], effective, all || isSecretSection(field), depth + 1, above);
  });
  if (values.every((item, index) => Object.is(item, items[index]))) return record;
  return Object.fromEntries(fields.map((field, index) => [field, values[index]]));
}
