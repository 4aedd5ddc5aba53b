/** Removes private values from text: secrets, the settings of servers, and the names of the user and the computer. */
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Connection, ServerConfig } from '../../../../shared/model/server.ts';
import type { Host } from '../../host.ts';
import { placeholdersIn } from '../../secrets/placeholders.ts';
import { plainSecrets } from '../../secrets/plain-secrets.ts';
import { redactText } from '../../secrets/redact.ts';
import { createValueRedactor } from '../../secrets/redact-values.ts';
import { looksSecret } from '../../secrets/secret-names.ts';

type Machine = Pick<Host, 'homeDir' | 'env'>;

/** `secrets` are the values of the vault. */
export function createPrivateRedactor(
  servers: readonly ServerConfig[],
  secrets: readonly string[],
  { env }: Pick<Machine, 'env'>,
) {
  const written = servers.flatMap(({ connection }) => valuesOf(connection));
  const variables = written.flatMap(placeholdersIn).flatMap((placeholder) => {
    return placeholder.kind === 'variable' ? (env[placeholder.name] ?? []) : [];
  });
  const fromShell = Object.entries(env).flatMap(([name, value = '']) => {
    if (/_proxy$/i.test(name) && !/^no_proxy$/i.test(name)) return partsOfProxy(value);
    return looksSecret(name, value) ? value : [];
  });
  const plain = servers.flatMap(({ connection }) => plainSecrets(connection).map(({ value }) => value));
  // The names of servers appear in the report anyway.
  const names = new Set(servers.map(({ name }) => name));
  const others = [...written, ...variables].filter((value) => !names.has(value));
  const redactSecrets = createValueRedactor([...secrets, ...plain, ...fromShell]);
  const redactOthers = createValueRedactor([...secrets, ...plain, ...fromShell, ...others]);
  return {
    /** Redacts `secrets`, and values in the configuration and the environment that look like secrets. */
    redactSecrets,
    /** For text of unknown origin: also redacts every value in the configuration of the servers. */
    redactValues: (text: string): string => redactText(redactOthers(text)),
  };
}

/** All values in one server's configuration, whole and in parts. */
function valuesOf(connection: Connection): string[] {
  if (connection.type === 'stdio') {
    const { args, env, cwd = '', envFile = '' } = connection;
    return [...args.flatMap(partsOfArgument), ...Object.values(env).flatMap(partsOfValue), cwd, envFile];
  }
  const { url, replicas = [], headers, oauth } = connection;
  return [
    ...[url, ...replicas].flatMap(partsOfUrl),
    ...Object.values(headers).flatMap(partsOfValue),
    oauth?.clientSecret ?? '',
  ];
}

/** The argument and its value after `=` or `:`. A flag alone is not private. */
function partsOfArgument(arg: string): string[] {
  const value = /^(?:--?[\w.-]+|[\w.-]+)[=:]\s*(.*)$/s.exec(arg)?.[1];
  const whole = /^--?[A-Za-z][\w-]*$/.test(arg) ? [] : partsOfValue(arg);
  return [...whole, ...(value === undefined ? [] : partsOfValue(value))];
}

/** The value, the value without its first word (`Bearer x`), and the parts of a URL. */
function partsOfValue(value: string): string[] {
  return [value, value.replace(/^\s*\w+\s+/, ''), ...(value.includes('://') ? partsOfUrl(value) : [])];
}

function partsOfUrl(text: string): string[] {
  const url = URL.parse(text);
  if (!url) return [text];
  const segments = url.pathname.split('/').filter((segment) => segment.length >= 8);
  const { username, password, search, hash } = url;
  return [text, username, password, search.slice(1), hash.slice(1), ...segments, ...url.searchParams.values()];
}

/** A proxy URL that contains credentials, and the parts of the credentials, even if the URL is not valid. */
function partsOfProxy(url: string): string[] {
  const login = /^(?:[a-z]*:\/\/)?(.*)@/is.exec(url)?.[1];
  return login === undefined ? [] : [url, login, login.slice(login.indexOf(':') + 1)];
}

/** Names too common to identify the user. */
const commonNames = new Set(['root', 'node', 'user', 'localhost']);

/** Returns a function that replaces the home folder with `~`, and the names of the user and the computer. */
export function createNameRedactor({ homeDir, env }: Machine): (text: string) => string {
  const home = homeDir.split(/[\\/]+/).map(escaped);
  const homePath = new RegExp(`${home.join('(?:[\\\\/]+|%2F|%5C)')}(?![\\w-])`, 'gi');
  const users = [basename(homeDir.replaceAll('\\', '/')), env.USER, env.LOGNAME, env.USERNAME];
  const userName = namePattern(users);
  const computerName = namePattern([hostname(), env.COMPUTERNAME]);
  return (text) => {
    let result = text.replace(homePath, '~').replace(/([\\/](?:home|Users)[\\/]+)[^\\/\s"':,;)]+/gi, '$1<user>');
    if (userName) result = result.replace(userName, '<user>');
    return computerName ? result.replace(computerName, '<computer>') : result;
  };
}

/** Matches the names as whole words. */
function namePattern(given: readonly (string | undefined)[]): RegExp | undefined {
  const known = given.filter((name = '') => name.length >= 3 && !commonNames.has(name.toLowerCase()));
  if (known.length === 0) return undefined;
  const names = known.map((name = '') => escaped(name));
  return new RegExp(`(?<![A-Za-z0-9])(?:${names.join('|')})(?![A-Za-z0-9])`, 'gi');
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
