/** Finding the secrets that stand in a connection in plain text, each with a way to put a reference in its place. */
import type { Connection } from '../../../shared/model.ts';
import { isBlank, isSecretName, looksSecret, urlHoldsSecret } from './patterns.ts';
import { splitArgument } from './redact.ts';

export interface PlainSecret {
  /** For people; never the value: `GITHUB_TOKEN`, `the header Authorization`, `the argument --api-key`. */
  label: string;
  /** A word to name the secret by. */
  name: string;
  value: string;
  /** Where it stands. */
  at: { part: 'env' | 'headers'; key: string } | { part: 'args'; index: number } | { part: 'url' };
}

/** All secrets in plain text in `connection`; none of the values may be shown. */
export function plainSecrets(connection: Connection): PlainSecret[] {
  if (connection.type !== 'stdio') {
    return [...fromUrl(connection.url, { part: 'url' }, 'the URL'), ...fromHeaders(connection.headers)];
  }
  const fromEnv = Object.entries(connection.env).flatMap(([key, text]): PlainSecret[] => {
    if (!looksSecret(key, text)) return [];
    const inUrl = fromUrl(text, { part: 'env', key }, key);
    return inUrl.length > 0 ? inUrl : [{ label: key, name: key, value: text, at: { part: 'env', key } }];
  });
  return [...fromEnv, ...connection.args.flatMap((arg, index) => fromArgument(arg, connection.args[index - 1], index))];
}

function fromHeaders(headers: Record<string, string>): PlainSecret[] {
  return Object.entries(headers).flatMap(([key, text]) => {
    const value = withoutScheme(text);
    const at = { part: 'headers', key } as const;
    return looksSecret(key, value) ? [{ label: `the header ${key}`, name: key, value, at }] : [];
  });
}

function fromArgument(arg: string, before: string | undefined, index: number): PlainSecret[] {
  const at = { part: 'args', index } as const;
  const { start, value } = splitArgument(arg);
  const named = start.replace(/^-+|[=:\s]+$/g, '');
  if (named !== '' && isSecretName(named) && looksSecret(named, withoutScheme(value))) {
    return [{ label: `the argument ${start.replace(/[=:\s]+$/, '')}`, name: named, value: withoutScheme(value), at }];
  }
  const inUrl = fromUrl(start === '' ? arg : value, at, 'an argument');
  if (inUrl.length > 0) return inUrl;
  const flag = before?.startsWith('-') && !before.includes('=') ? before.replace(/^-+/, '') : undefined;
  if (flag && !arg.startsWith('-') && isSecretName(flag) && looksSecret(flag, withoutScheme(arg))) {
    return [{ label: `the argument ${before}`, name: flag, value: withoutScheme(arg), at }];
  }
  const scheme = /^(?:Bearer|Basic)\s/i.test(arg);
  if (scheme && looksSecret('token', withoutScheme(arg))) {
    return [{ label: 'an argument', name: 'token', value: withoutScheme(arg), at }];
  }
  return looksSecret('', value) && !isBlank(value) ? [{ label: 'an argument', name: named || 'token', value, at }] : [];
}

function fromUrl(text: string, at: PlainSecret['at'], label: string): PlainSecret[] {
  if (!urlHoldsSecret(text)) return [];
  const found: PlainSecret[] = [];
  const password = /^[a-z0-9+.-]{1,20}:\/\/[^/?#@:]{0,500}:([^/?#@]{1,2000})@/i.exec(text)?.[1];
  if (password && !password.includes('${'))
    found.push({ label: `the password in ${label}`, name: 'password', value: password, at });
  for (const pair of (text.split('#', 1)[0] ?? '').split('?').slice(1).join('?').split('&')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    if (equals > 0 && looksSecret(name, value)) found.push({ label: `"${name}" in ${label}`, name, value, at });
  }
  return found;
}

function withoutScheme(text: string): string {
  return text.replace(/^(?:Bearer|Basic|Token)\s{1,9}/i, '');
}
