/** Masking for people, logs and the audit trail. */
import type { Connection } from '../../../shared/model.ts';
import { isSecretName, isSecretSection, looksSecret } from './patterns.ts';
import { mask, maskTokens } from './tokens.ts';
import { secretsInUrl } from './url.ts';

/** The command line or URL of a connection with secrets masked, for people. Placeholders stay as written. */
export function describeConnection(connection: Connection): string {
  if (connection.type !== 'stdio') return maskUrl(connection.url);
  return [maskText(connection.command), ...maskArguments(connection.args)].map(quoted).join(' ');
}

function quoted(part: string): string {
  return part === '' || /[\s"']/.test(part) ? JSON.stringify(part) : part;
}

/** Arguments with secrets masked: `--api-key x`, `--api-key=x`, `KEY=x`, `Authorization: Bearer x`, URLs, known tokens. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((arg, index) => maskArgument(arg, args[index - 1]));
}

/** One argument; `before` is the one in front of it. */
export function maskArgument(arg: string, before: string | undefined): string {
  const flag = flagBefore(arg, before);
  if (flag !== undefined && looksSecret(flag, withoutScheme(arg))) return schemeOf(arg) + mask;
  return maskText(arg);
}

/** The name of a flag whose value `arg` is; undefined when `before` is no such flag. */
export function flagBefore(arg: string, before: string | undefined): string | undefined {
  const isFlag =
    before !== undefined && /^-{1,2}[A-Za-z]/.test(before) && !before.includes('=') && !arg.startsWith('-');
  return isFlag ? before.replace(/^-+/, '') : undefined;
}

/** `Bearer `, `Basic ` in front of a value, or nothing. */
export function schemeOf(text: string): string {
  return /^\s{0,9}(?:Bearer|Basic|Token|ApiKey)\s{1,9}/i.exec(text)?.[0] ?? '';
}

export function withoutScheme(text: string): string {
  return text.slice(schemeOf(text).length);
}

/**
 * `name=value` and `name: value` in a text, quotes and schemes allowed for. A name may only begin where a run of its
 * characters begins, which keeps this linear.
 */
const namedValue =
  /(?<![\w.-])(-{0,2}[\w.-]{1,80}["']?\s{0,3}[=:]\s{0,3}["']?)((?:Bearer|Basic|Token|ApiKey)\s{1,9})?([^\s"'&,;<>]+)/gi;
const schemeAndValue = /\b(Bearer|Basic)(\s{1,9})([\w+/=.~-]{8,})/gi;

/** Free text with tokens of known shapes, named secret values, and secrets in URLs masked. */
export function maskText(text: string): string {
  // A look for what every match needs is far cheaper than the match; each call's arguments come through here.
  const plain = text.includes('://') ? text.replace(/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]{1,8000}/gi, maskUrl) : text;
  return maskTokens(maskSchemes(/[=:]/.test(plain) ? maskNamedValues(plain) : plain));
}

function maskNamedValues(text: string): string {
  return text.replace(namedValue, (whole, start: string, scheme: string | undefined, value: string) => {
    const name = start.replace(/["'\s=:]+$/, '').replace(/^-+/, '');
    // `https://…` looks like a name with a value; it was seen to above.
    if (value.startsWith('//') || value.includes(mask) || !isSecretName(name) || !looksSecret(name, value))
      return whole;
    return start + (scheme ?? '') + mask;
  });
}

function maskSchemes(text: string): string {
  return text.replace(schemeAndValue, (whole, scheme: string, space: string, value: string) =>
    looksSecret('token', value) && /\d|[A-Z]/.test(value) ? scheme + space + mask : whole,
  );
}

/** A URL with its secrets masked. The text is edited, not printed anew, so that `${VAR}` in it stays readable. */
export function maskUrl(text: string): string {
  let result = text;
  for (const { offset, value } of secretsInUrl(text, looksSecret).reverse()) {
    result = result.slice(0, offset) + mask + result.slice(offset + value.length);
  }
  return maskTokens(result);
}

/** Deeper than this is cut, so that hostile nesting costs nothing. */
const maxDepth = 64;

/**
 * The value with what looks secret masked, for the audit trail and logs; whatever holds nothing of the kind is given back
 * itself. Cycles and excess depth become "…".
 */
export function redact(value: unknown): unknown {
  return redactInside(value, '', false, 0, new Set());
}

function redactInside(value: unknown, name: string, all: boolean, depth: number, above: Set<object>): unknown {
  if (typeof value === 'string') {
    if (value === '') return value;
    return all || looksSecret(name, withoutScheme(value)) ? maskNamed(value, name, all) : maskText(value);
  }
  if (typeof value === 'number' || typeof value === 'bigint') return all || isSecretName(name) ? mask : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth || above.has(value)) return '…';
  above.add(value);
  const copy = Array.isArray(value)
    ? redactList(value, name, all, depth, above)
    : redactRecord(value, all, depth, above);
  above.delete(value);
  return copy;
}

/** Under a harmless name only the secret part of a text is masked, under a secret one the whole. */
function maskNamed(value: string, name: string, all: boolean): string {
  if (!all && !isSecretName(name)) return maskText(value) === value ? mask : maskText(value);
  return all ? mask : schemeOf(value) + mask;
}

function redactList(list: unknown[], name: string, all: boolean, depth: number, above: Set<object>): unknown[] {
  // A list of texts may be a command line, where a flag names what follows it.
  const commandLine = !all && !isSecretName(name) && list.every((item) => typeof item === 'string');
  const masked = commandLine
    ? maskArguments(list as string[])
    : list.map((item) => redactInside(item, name, all, depth + 1, above));
  return masked.every((item, index) => Object.is(item, list[index])) ? list : masked;
}

function redactRecord(record: object, all: boolean, depth: number, above: Set<object>): object {
  const { name, key } = record as { name?: unknown; key?: unknown };
  const listedName = typeof name === 'string' ? name : typeof key === 'string' ? key : '';
  const fields = Object.keys(record);
  const items = Object.values(record);
  const masked = fields.map((field, index) => {
    // { name: "API_KEY", value: "x" } is the list form of a setting.
    const effective = field === 'value' && isSecretName(listedName) ? listedName : field;
    return redactInside(items[index], effective, all || isSecretSection(field), depth + 1, above);
  });
  if (masked.every((item, index) => Object.is(item, items[index]))) return record;
  return Object.fromEntries(fields.map((field, index) => [field, masked[index]]));
}
