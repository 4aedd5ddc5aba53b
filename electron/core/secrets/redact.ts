/** Masking for people, logs and the audit trail. */
import type { Connection } from '../../../shared/model.ts';
import { holdsToken, isSecretName, looksSecret, mask, maskTokens, parseUrl } from './patterns.ts';

/** The command line or URL of a connection with secrets masked, for people. Placeholders stay as written. */
export function describeConnection(connection: Connection): string {
  if (connection.type === 'stdio') {
    return [connection.command, ...maskArguments(connection.args)].map(quoted).join(' ');
  }
  return maskUrl(connection.url);
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
  const { start, value } = splitArgument(arg);
  if (start !== '' && isSecretName(start) && looksSecret(start, stripScheme(value))) return start + mask;
  const flag = before?.startsWith('-') && !before.includes('=') ? before : undefined;
  if (flag && !arg.startsWith('-') && isSecretName(flag) && looksSecret(flag, arg)) return mask;
  if (/^(?:Bearer|Basic)\s/i.test(arg) && looksSecret('authorization', stripScheme(arg)))
    return `${arg.slice(0, 6).trim()} ${mask}`;
  return maskText(arg);
}

/** `--key=value`, `KEY=value` and `Header: value` in two parts; `start` keeps the separator and is empty when there is none. */
export function splitArgument(arg: string): { start: string; value: string } {
  const match = /^[-A-Za-z0-9_.]{1,100}(?:=|:\s{0,9}(?!\/))/.exec(arg);
  return match ? { start: match[0], value: arg.slice(match[0].length) } : { start: '', value: arg };
}

function stripScheme(value: string): string {
  return value.replace(/^(?:Bearer|Basic|Token)\s{1,9}/i, '');
}

/** `text` with tokens of known shapes masked, and passwords and secret query values masked when it is a URL. */
export function maskText(text: string): string {
  const equals = text.indexOf('=');
  const at = parseUrl(text) ? 0 : equals >= 0 && parseUrl(text.slice(equals + 1)) ? equals + 1 : -1;
  return at < 0 ? maskTokens(text) : text.slice(0, at) + maskUrl(text.slice(at));
}

/** A URL with its password and secret query values masked. What does not parse has its known tokens masked. */
export function maskUrl(text: string): string {
  const url = parseUrl(text);
  if (!url) return maskTokens(text);
  let result = text;
  // Edits the text rather than printing the URL anew, so that `${VAR}` in it stays readable.
  if (url.password !== '') result = result.replace(/^([a-z0-9+.-]+:\/\/[^/?#@]*?:)[^/?#@]*@/i, `$1${mask}@`);
  const question = result.indexOf('?');
  if (question < 0) return maskTokens(result);
  const hash = result.indexOf('#', question);
  const query = result.slice(question + 1, hash < 0 ? undefined : hash);
  const masked = query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return maskTokens(pair);
      const name = pair.slice(0, equals);
      const value = pair.slice(equals + 1);
      return looksSecret(name, value) ? `${name}=${mask}` : maskTokens(pair);
    })
    .join('&');
  return `${maskTokens(result.slice(0, question))}?${masked}${hash < 0 ? '' : result.slice(hash)}`;
}

/** Beyond this depth or number of values the rest is cut: audit lines are bounded. */
const maxDepth = 40;

/** Deep copy with secret-looking values masked, for the audit trail and logs. Cycles and excess depth become "…". */
export function redact(value: unknown): unknown {
  return redactInside(value, '', 0, new Set());
}

function redactInside(value: unknown, name: string, depth: number, above: Set<object>): unknown {
  if (typeof value === 'string') {
    if (isSecretName(name) ? looksSecret(name, value) : holdsToken(value) && value.length < 100) return mask;
    return maskText(value);
  }
  if (typeof value === 'number' && isSecretName(name) && Math.abs(value) >= 1000) return mask;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth || above.has(value)) return '…';
  above.add(value);
  const copy = Array.isArray(value) ? redactList(value, name, depth, above) : redactRecord(value, name, depth, above);
  above.delete(value);
  return copy;
}

function redactList(list: unknown[], name: string, depth: number, above: Set<object>): unknown[] {
  const texts = list.every((item) => typeof item === 'string');
  // A list of texts may be a command line, where a flag names what follows it.
  if (texts && !isSecretName(name)) return maskArguments(list as string[]);
  return list.map((item) => redactInside(item, name, depth + 1, above));
}

function redactRecord(record: object, name: string, depth: number, above: Set<object>): Record<string, unknown> {
  // Inside an object that is itself named "credentials", short names such as "user" stay readable: their own name decides.
  const pairs = Object.entries(record).map(([key, item]) => [key, redactInside(item, key || name, depth + 1, above)]);
  // { name: "API_KEY", value: "x" } is the list form of a setting.
  const named = pairs.find(([key]) => key === 'name' || key === 'key')?.[1];
  if (typeof named === 'string' && isSecretName(named)) {
    for (const pair of pairs) if (pair[0] === 'value' && looksSecret(named, pair[1])) pair[1] = mask;
  }
  return Object.fromEntries(pairs) as Record<string, unknown>;
}
