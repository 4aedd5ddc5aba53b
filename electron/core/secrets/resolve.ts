/** Resolves the placeholders of a connection just before use and reports missing values. */
import { resolve, sep } from 'node:path';
import { type EnvLine, parseEnvLine } from '../../../shared/env-line.ts';
import { fail } from '../../../shared/failure.ts';
import type { Connection, OAuthClient } from '../../../shared/model/server.ts';
import { isSecretName } from '../../../shared/secret-name.ts';
import { envVariable } from '../files/env-variable.ts';
import { expandHome } from '../files/expand-home.ts';
import { type Placeholder, placeholdersIn, replacePlaceholders } from './placeholders.ts';
import { mapOAuthClient, mapStrings } from './plain-secrets.ts';
import { flagBefore } from './redact.ts';
import { readText } from './secret-files.ts';
import { isValueAsName } from './secret-names.ts';
import { redaction } from './token-patterns.ts';

/** A connection ready for use. Contains plain-text secrets: never log or display it. */
export type ResolvedConnection = (
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { type: 'http' | 'sse'; url: string; headers: Record<string, string>; oauth?: OAuthClient }
) & {
  /** Values to redact in everything that the server prints. */
  secrets?: readonly string[];
};

export interface ResolveOptions {
  /** The server's name; without one, values that were entered for a server are not used. */
  server?: string;
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  /** Entered or stored values by their name in the vault, already unsealed. */
  stored?: { get(name: string): string | undefined };
  /** The contents of the connection's files that are named pipes. */
  pipes?: ReadonlyMap<string, string>;
  /** The secrets behind `referencesOf` the connection; without them, these count as available. */
  references?: ReadonlyMap<string, string>;
  /** `${workspaceFolder}`, and where a server without a `cwd` starts. Defaults to the home folder. */
  folder?: string | undefined;
}

/** A value that a placeholder refers to and that is not set. */
export interface Missing {
  /** As written in the config: `GITHUB_TOKEN`, `input "pat"`. */
  label: string;
  /** The name to show to the user. */
  title: string;
  /** Its name in the vault once entered; absent for files, which cannot be entered. */
  name?: string;
  /** Whether to hide it during input, and to redact it. */
  isSecret: boolean;
}

/** Resolves one string of a connection. `setting` is the name of the setting that it belongs to. */
type Fill = (text: string, setting?: string) => string;

/**
 * Resolves `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${secret:x}`, `${input:x}`, `${file:/p}`, `${op://v/i/f}`, `~`,
 * `${userHome}` and `${$}` (a dollar sign), and reads `envFile`. Fails with SECRET_MISSING, which names every missing value.
 */
export function resolveConnection(connection: Connection, options: ResolveOptions): ResolvedConnection {
  const { resolved, missing } = tryResolve(connection, options);
  if (missing.length === 0) return resolved;
  const names = missing.map(({ label }) => label).join(', ');
  const misplaced = missing.some(({ title }) => title === redaction);
  throw fail('SECRET_MISSING', `Not set: ${names}.`, {
    hint: misplaced
      ? 'The configuration has a value where the name of a variable belongs. Replace the value with a name, or use it without `${}`.'
      : missing.length === 1
        ? `${missing.map(howToSet).join()}, or restart the server in Toolkeep and enter it.`
        : 'Set them, or restart the server in Toolkeep and enter them.',
  });
}

/** Suggests a command only for names without shell metacharacters, because some names come from others. */
function howToSet({ label, title, name }: Missing): string {
  const isInVault = name !== undefined && label !== title && /^[\w.:/-]+$/.test(name);
  return isInVault ? `Run \`toolkeep secrets set ${name}\`` : `Set ${label}`;
}

/** Resolves what can be resolved now and lists what is missing. */
export function tryResolve(
  connection: Connection,
  options: ResolveOptions,
): { resolved: ResolvedConnection; missing: Missing[] } {
  const missing = new Map<string, Missing>();
  const secrets = new Set<string>();
  const { homeDir } = options;
  const fill: Fill = (text, setting = '') =>
    replacePlaceholders(text, (placeholder) => {
      const isSecret = isSecretPlaceholder(placeholder, setting);
      const value = lookUp(placeholder, options);
      const problem = value === undefined ? missingFor(placeholder, options.server, isSecret) : undefined;
      if (problem) missing.set(problem.label, problem);
      if (value && isSecret) secrets.add(value);
      return value;
    });
  const path = (text: string, setting?: string) => expandHome(fill(text, setting), homeDir);
  const values = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, fill(text, name)]));
  const finished = () => ({ missing: [...missing.values()], secrets: [...secrets] });

  if (connection.type !== 'stdio') {
    const { type, url, headers, oauth } = connection;
    const client = oauth && { oauth: mapOAuthClient(oauth, fill) };
    const resolved = { type, url: fill(url), headers: values(headers), ...client };
    // Each replica is connected separately, but its missing values are requested together with the others.
    for (const replica of connection.replicas ?? []) fill(replica);
    const { missing: lacking, secrets: hidden } = finished();
    return { resolved: { ...resolved, secrets: hidden }, missing: lacking };
  }
  const { command, args, env, cwd, envFile } = connection;
  const fromFile = envFile ? readEnvFile(resolve(homeDir, path(envFile)), options.pipes) : {};
  const resolved = {
    type: connection.type,
    command: path(command),
    args: args.map((arg, index) => path(arg, settingOf(arg, args[index - 1]))),
    env: { ...fromFile, ...values(env) },
    ...folderOf(cwd === undefined ? options.folder : resolve(homeDir, path(cwd))),
  };
  const { missing: lacking, secrets: hidden } = finished();
  return { resolved: { ...resolved, secrets: hidden }, missing: lacking };
}

const folderOf = (cwd: string | undefined) => (cwd === undefined ? {} : { cwd });

/** Returns the names under which the vault may hold the values that `connection` of `server` refers to. */
export function secretNames(connection: Connection, server: string | undefined): string[] {
  return [...new Set(allPlaceholders(connection).flatMap((placeholder) => nameOf(placeholder, server) ?? []))];
}

/** Returns only the names that the vault must provide; variables usually come from the environment. */
export function namedSecrets(connection: Connection, server: string): string[] {
  const named = allPlaceholders(connection).filter(({ kind }) => kind === 'secret' || kind === 'input');
  return [...new Set(named.flatMap((placeholder) => nameOf(placeholder, server) ?? []))];
}

function allPlaceholders(connection: Connection): Placeholder[] {
  const texts: string[] = [];
  mapStrings(connection, (text) => {
    texts.push(text);
    return text;
  });
  return texts.flatMap(placeholdersIn);
}

/**
 * Entered values are stored per server, because the same id ("token") in another server means another secret. Only
 * `${secret:name}` is shared, because it names a vault entry directly.
 */
function nameOf(placeholder: Placeholder, server = ''): string | undefined {
  switch (placeholder.kind) {
    case 'secret':
      return placeholder.name;
    case 'input':
      return `${server}/input:${placeholder.name}`;
    case 'variable':
      return placeholder.fallback === undefined ? `${server}/env:${placeholder.name}` : undefined;
    default:
      return undefined;
  }
}

function isSecretPlaceholder(placeholder: Placeholder, setting: string): boolean {
  if (placeholder.kind === 'variable') return isSecretName(placeholder.name) || isSecretName(setting);
  return ['secret', 'input', 'file', 'reference'].includes(placeholder.kind);
}

/** Returns the setting name in `--api-key ${X}`, `--api-key=${X}`, `API_KEY=${X}` and `Authorization: ${X}`. */
function settingOf(arg: string, before: string | undefined): string {
  return /^-{0,2}([\w.-]{1,100})(?:=|:\s)/.exec(arg)?.[1] ?? flagBefore(arg, before) ?? '';
}

function missingFor(placeholder: Placeholder, server: string | undefined, isSecret: boolean): Missing | undefined {
  if (placeholder.kind === 'file') return { label: `file ${placeholder.path}`, title: placeholder.path, isSecret };
  const name = nameOf(placeholder, server);
  if (name === undefined || !('name' in placeholder)) return undefined;
  const isValue = isValueAsName(placeholder.name);
  const title = isValue ? redaction : placeholder.name;
  const label = placeholder.kind === 'variable' ? title : `${placeholder.kind} "${title}"`;
  // Nothing is stored under such a name.
  return { label, title, ...(!isValue && { name }), isSecret };
}

function lookUp(placeholder: Placeholder, options: ResolveOptions): string | undefined {
  const { env, homeDir, stored, server } = options;
  switch (placeholder.kind) {
    case 'home':
      return homeDir;
    case 'base':
      return options.folder ?? homeDir;
    case 'separator':
      return sep;
    case 'node':
      return process.execPath;
    case 'dollar':
      return '$';
    case 'reference':
      return options.references?.get(placeholder.to);
    case 'secret':
    case 'input':
      return stored?.get(nameOf(placeholder, server) as string);
    case 'file':
      try {
        // Files such as Docker secrets end with a newline that is not part of the value.
        return readText(fileAt(placeholder.path, homeDir), options.pipes).replace(/\r?\n$/, '');
      } catch {
        return undefined;
      }
    case 'variable': {
      const found = envVariable(env, placeholder.name, process.platform === 'win32');
      // As in a shell, `:-` also applies to an empty variable.
      if (placeholder.fallback !== undefined) return found ? found : placeholder.fallback;
      return found ?? stored?.get(nameOf(placeholder, server) as string);
    }
  }
}

/** The absolute path of a path that may start with `~`. */
export const fileAt = (path: string, homeDir: string) => resolve(homeDir, expandHome(path, homeDir));

/** Returns the references to password managers in `connection`. */
export function referencesOf(connection: Connection): string[] {
  return allPlaceholders(connection).flatMap((one) => (one.kind === 'reference' ? one.to : []));
}

/** Returns the files whose content `connection` refers to. */
export function filesOf(connection: Connection, options: ResolveOptions): string[] {
  const { homeDir } = options;
  const named = allPlaceholders(connection).flatMap((one) => (one.kind === 'file' ? fileAt(one.path, homeDir) : []));
  if (connection.type !== 'stdio' || !connection.envFile) return named;
  const envFile = replacePlaceholders(connection.envFile, (placeholder) => lookUp(placeholder, options));
  return [...named, resolve(homeDir, expandHome(envFile, homeDir))];
}

function readEnvFile(file: string, pipes: ResolveOptions['pipes']): Record<string, string> {
  try {
    return parseEnvFile(readText(file, pipes));
  } catch {
    throw fail('SECRET_MISSING', `The env file ${file} cannot be read.`, {
      file,
      hint: 'Create it, or remove `envFile` from the server.',
    });
  }
}

/** Returns the names and values in `text`. Lines without a variable are skipped. */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return Object.fromEntries(
    lines.flatMap((line) => {
      const found = parseEnvLine(line);
      return found ? [[found.name, unescaped(found)]] : [];
    }),
  );
}

function unescaped({ value, quote }: EnvLine): string {
  return quote === '"' ? value.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : value;
}
