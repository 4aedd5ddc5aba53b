/** Secrets and placeholders: resolving a connection just before use, and showing it to people without its secrets. */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import type { Connection } from '../../../shared/model.ts';
import { parseEnvFile } from './env-file.ts';
import { type Placeholder, replacePlaceholders } from './placeholders.ts';
import { secretNames, type Vault } from './vault.ts';

export { isBlank, looksSecret } from './patterns.ts';
export { placeholdersIn, replacePlaceholders } from './placeholders.ts';
export { type PlainSecret, plainSecrets } from './plain-secrets.ts';
export { describeConnection, maskText, redact } from './redact.ts';
export { mask } from './tokens.ts';
export { moveToVault, openVault, secretNames, type Vault, withoutSecrets } from './vault.ts';

/** A connection ready for use. Holds secrets in plain text: never log it, never show it. */
export type ResolvedConnection =
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { type: 'http' | 'sse'; url: string; headers: Record<string, string> };

export interface ResolveOptions {
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
  /** Values of `${secret:name}` and `${input:id}`, already unsealed. */
  vault?: { get(name: string): string | undefined };
  /** What relative folders and `${workspaceFolder}` start from; the home folder if not given. */
  baseDir?: string;
}

/**
 * Puts values in place of `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${secret:x}`, `${input:x}`, `${file:/p}`, `~` and
 * `${userHome}`, and reads `envFile`. Fails with SECRET_MISSING naming every missing value at once (requirement row D1).
 */
export function resolveConnection(connection: Connection, options: ResolveOptions): ResolvedConnection {
  const missing = new Set<string>();
  const { homeDir } = options;
  const baseDir = options.baseDir ?? homeDir;
  const value = (text: string) => replacePlaceholders(text, (placeholder) => lookUp(placeholder, options, missing));
  const values = (record: Record<string, string>) =>
    Object.fromEntries(Object.entries(record).map(([name, text]) => [name, value(text)]));
  const path = (text: string) => expandTilde(value(text), homeDir);

  let resolved: ResolvedConnection;
  if (connection.type === 'stdio') {
    const fromFile = connection.envFile ? readEnvFile(resolve(baseDir, path(connection.envFile))) : {};
    resolved = {
      type: 'stdio',
      command: path(connection.command),
      args: connection.args.map(path),
      env: { ...fromFile, ...values(connection.env) },
      ...(connection.cwd === undefined ? {} : { cwd: absolute(path(connection.cwd), baseDir) }),
    };
  } else {
    resolved = { type: connection.type, url: value(connection.url), headers: values(connection.headers) };
  }
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    throw fail('SECRET_MISSING', `Not set: ${names}.`, {
      hint: missing.size === 1 ? `Set ${names} or enter it in Gatehouse.` : 'Set them or enter them in Gatehouse.',
    });
  }
  return resolved;
}

/** As `resolveConnection`, with the secrets that the connection refers to taken from `vault`. */
export async function resolveWithVault(
  connection: Connection,
  options: Omit<ResolveOptions, 'vault'> & { vault: Vault },
): Promise<ResolvedConnection> {
  return resolveConnection(connection, { ...options, vault: await options.vault.reveal(secretNames(connection)) });
}

function lookUp(placeholder: Placeholder, options: ResolveOptions, missing: Set<string>): string | undefined {
  const { env, homeDir, vault } = options;
  switch (placeholder.kind) {
    case 'home':
      return homeDir;
    case 'base':
      return options.baseDir ?? homeDir;
    case 'separator':
      return sep;
    case 'secret':
    case 'input': {
      const stored = vault?.get(placeholder.kind === 'input' ? `input:${placeholder.name}` : placeholder.name);
      if (stored === undefined) missing.add(`${placeholder.kind} "${placeholder.name}"`);
      return stored;
    }
    case 'file':
      try {
        // Docker secrets and the like end with a newline that is not part of the value.
        return readFileSync(resolve(homeDir, expandTilde(placeholder.path, homeDir)), 'utf8').replace(/\r?\n$/, '');
      } catch {
        missing.add(`file ${placeholder.path}`);
        return undefined;
      }
    case 'variable': {
      const found = variable(env, placeholder.name);
      // As in a shell, `:-` also covers a variable that is set to nothing.
      if (placeholder.fallback !== undefined) return found ? found : placeholder.fallback;
      if (found === undefined) missing.add(placeholder.name);
      return found;
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

function absolute(path: string, baseDir: string): string {
  return isAbsolute(path) ? path : resolve(baseDir, path);
}

function readEnvFile(file: string): Record<string, string> {
  try {
    return parseEnvFile(readFileSync(file, 'utf8'));
  } catch {
    throw fail('SECRET_MISSING', `The file of variables ${file} cannot be read.`, {
      file,
      hint: 'Create it, or remove `envFile` from the server.',
    });
  }
}
