/** Resolving a connection just before use: what stands in place of each placeholder, and what is missing for it. */
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import type { Connection, OAuthClient } from '../../../shared/model.ts';
import { parseEnvFile } from './env-file.ts';
import { readText } from './files.ts';
import { isSecretName } from './patterns.ts';
import { type Placeholder, placeholdersIn, replacePlaceholders } from './placeholders.ts';
import { mapTexts, withClient } from './plain-secrets.ts';
import { flagBefore } from './redact.ts';

/** A connection ready for use. Holds secrets in plain text: never log it, never show it. */
export type ResolvedConnection = (
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { type: 'http' | 'sse'; url: string; headers: Record<string, string>; oauth?: OAuthClient }
) & {
  /** Values that were put in and must never be shown, whatever the server says. */
  secrets?: readonly string[];
};

export interface ResolveOptions {
  /** Name of the server; without one nothing that was entered for a server is looked for. */
  server?: string;
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  /** What was entered or stored, by its name in the vault, already unsealed. */
  stored?: { get(name: string): string | undefined };
  /** What came out of the pipes among `filesOf` the connection. */
  pipes?: ReadonlyMap<string, string>;
  /** What relative folders and `${workspaceFolder}` start from; the home folder if not given. */
  baseDir?: string;
}

/** A value that a placeholder stands for and nobody has given. */
export interface Missing {
  /** As in the config: `GITHUB_TOKEN`, `input "pat"`. */
  label: string;
  /** The word that the person knows it by. */
  title: string;
  /** Its name in the vault once it is entered; absent for files, which cannot be entered. */
  name?: string;
  /** Shown as dots while it is typed. */
  masked: boolean;
}

/** A text of a connection, and the name by which its place tells what kind of value belongs there. */
type Fill = (text: string, place?: string) => string;

/**
 * Puts values in place of `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${secret:x}`, `${input:x}`, `${file:/p}`, `~` and
 * `${userHome}`, and reads `envFile`. Fails with SECRET_MISSING naming every missing value at once (requirement row D1).
 */
export function resolveConnection(connection: Connection, options: ResolveOptions): ResolvedConnection {
  const { resolved, missing } = tryResolve(connection, options);
  if (missing.length === 0) return resolved;
  const names = missing.map(({ label }) => label).join(', ');
  throw fail('SECRET_MISSING', `Not set: ${names}.`, {
    hint:
      missing.length === 1
        ? `${missing.map(howToSet).join()}, or restart the server in Gatehouse and enter it.`
        : 'Set them, or restart the server in Gatehouse and enter them.',
  });
}

/** The command only for names that a shell takes as they are: others wrote some of them. */
function howToSet({ label, title, name }: Missing): string {
  const isOfVault = name !== undefined && label !== title && /^[\w.:/-]+$/.test(name);
  return isOfVault ? `Run \`gatehouse secrets set ${name}\`` : `Set ${label}`;
}

/** As far as it can be resolved now, and everything that is missing. */
export function tryResolve(
  connection: Connection,
  options: ResolveOptions,
): { resolved: ResolvedConnection; missing: Missing[] } {
  const missing = new Map<string, Missing>();
  const secrets = new Set<string>();
  const { homeDir } = options;
  const baseDir = options.baseDir ?? homeDir;
  const fill: Fill = (text, place = '') =>
    replacePlaceholders(text, (placeholder) => {
      const masked = isMasked(placeholder, place);
      const value = lookUp(placeholder, options);
      const problem = value === undefined ? missingFor(placeholder, options.server, masked) : undefined;
      if (problem) missing.set(problem.label, problem);
      if (value && masked) secrets.add(value);
      return value;
    });
  const path = (text: string, place?: string) => expandTilde(fill(text, place), homeDir);
  const values = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, fill(text, name)]));
  const finished = () => ({ missing: [...missing.values()], secrets: [...secrets] });

  if (connection.type !== 'stdio') {
    const { type, url, headers, oauth } = connection;
    const client = oauth && { oauth: withClient(oauth, fill) };
    const resolved = { type, url: fill(url), headers: values(headers), ...client };
    // Each replica is reached as a server of its own; what it lacks is asked for with the rest.
    for (const replica of connection.replicas ?? []) fill(replica);
    const { missing: lacking, secrets: hidden } = finished();
    return { resolved: { ...resolved, secrets: hidden }, missing: lacking };
  }
  const { command, args, env, cwd, envFile } = connection;
  const fromFile = envFile ? readEnvFile(resolve(baseDir, path(envFile)), options.pipes) : {};
  const resolved = {
    type: connection.type,
    command: path(command),
    args: args.map((arg, index) => path(arg, placeOf(arg, args[index - 1]))),
    env: { ...fromFile, ...values(env) },
    ...(cwd === undefined ? {} : { cwd: absolute(path(cwd), baseDir) }),
  };
  const { missing: lacking, secrets: hidden } = finished();
  return { resolved: { ...resolved, secrets: hidden }, missing: lacking };
}

/** Names under which the vault may keep what `connection`, the one of `server`, refers to. */
export function secretNames(connection: Connection, server: string | undefined): string[] {
  return [...new Set(allPlaceholders(connection).flatMap((placeholder) => nameOf(placeholder, server) ?? []))];
}

/** Those of them that only the vault can give; a variable usually comes from the environment. */
export function namedSecrets(connection: Connection, server: string): string[] {
  const named = allPlaceholders(connection).filter(({ kind }) => kind === 'secret' || kind === 'input');
  return [...new Set(named.flatMap((placeholder) => nameOf(placeholder, server) ?? []))];
}

function allPlaceholders(connection: Connection): Placeholder[] {
  const texts: string[] = [];
  mapTexts(connection, (text) => {
    texts.push(text);
    return text;
  });
  return texts.flatMap(placeholdersIn);
}

/**
 * An id such as "token" is chosen by whoever wrote one file; the same id in another server means another secret, so what was
 * entered is kept for each server apart. Only `${secret:name}` may be shared, since it names an entry of the vault itself.
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

function isMasked(placeholder: Placeholder, place: string): boolean {
  if (placeholder.kind === 'variable') return isSecretName(placeholder.name) || isSecretName(place);
  return placeholder.kind === 'secret' || placeholder.kind === 'input' || placeholder.kind === 'file';
}

/** `--api-key ${X}`, `--api-key=${X}`, `API_KEY=${X}`, `Authorization: ${X}`. */
function placeOf(arg: string, before: string | undefined): string {
  return /^-{0,2}([\w.-]{1,100})(?:=|:\s)/.exec(arg)?.[1] ?? flagBefore(arg, before) ?? '';
}

function missingFor(placeholder: Placeholder, server: string | undefined, masked: boolean): Missing | undefined {
  if (placeholder.kind === 'file') return { label: `file ${placeholder.path}`, title: placeholder.path, masked };
  const name = nameOf(placeholder, server);
  if (name === undefined || !('name' in placeholder)) return undefined;
  const label = placeholder.kind === 'variable' ? placeholder.name : `${placeholder.kind} "${placeholder.name}"`;
  return { label, title: placeholder.name, name, masked };
}

function lookUp(placeholder: Placeholder, options: ResolveOptions): string | undefined {
  const { env, homeDir, stored, server } = options;
  switch (placeholder.kind) {
    case 'home':
      return homeDir;
    case 'base':
      return options.baseDir ?? homeDir;
    case 'separator':
      return sep;
    case 'secret':
    case 'input':
      return stored?.get(nameOf(placeholder, server) as string);
    case 'file':
      try {
        // Docker secrets and the like end with a newline that is not part of the value.
        return readText(fileAt(placeholder.path, homeDir), options.pipes).replace(/\r?\n$/, '');
      } catch {
        return undefined;
      }
    case 'variable': {
      const found = variable(env, placeholder.name);
      // As in a shell, `:-` also covers a variable that is set to nothing.
      if (placeholder.fallback !== undefined) return found ? found : placeholder.fallback;
      return found ?? stored?.get(nameOf(placeholder, server) as string);
    }
  }
}

function variable(env: ResolveOptions['env'], name: string): string | undefined {
  if (env[name] !== undefined || process.platform !== 'win32') return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

/** `~`, `~/x`, and `--flag=~/x`, as a shell would see them. */
function expandTilde(text: string, homeDir: string): string {
  if (text === '~') return homeDir;
  if (text.startsWith('~/') || text.startsWith('~\\')) return join(homeDir, text.slice(2));
  return text;
}

const fileAt = (path: string, homeDir: string) => resolve(homeDir, expandTilde(path, homeDir));

/** Files whose content `connection` refers to. */
export function filesOf(connection: Connection, options: ResolveOptions): string[] {
  const { homeDir, baseDir = homeDir } = options;
  const named = allPlaceholders(connection).flatMap((one) => (one.kind === 'file' ? fileAt(one.path, homeDir) : []));
  if (connection.type !== 'stdio' || !connection.envFile) return named;
  const envFile = replacePlaceholders(connection.envFile, (placeholder) => lookUp(placeholder, options));
  return [...named, resolve(baseDir, expandTilde(envFile, homeDir))];
}

function absolute(path: string, baseDir: string): string {
  return isAbsolute(path) ? path : resolve(baseDir, path);
}

function readEnvFile(file: string, pipes: ResolveOptions['pipes']): Record<string, string> {
  try {
    return parseEnvFile(readText(file, pipes));
  } catch {
    throw fail('SECRET_MISSING', `The file of variables ${file} cannot be read.`, {
      file,
      hint: 'Create it, or remove `envFile` from the server.',
    });
  }
}
