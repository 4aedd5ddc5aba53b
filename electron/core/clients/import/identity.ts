/** A server's identity: the resolved command line and environment, or the URL, but never the name. */
import { createHash } from 'node:crypto';
import type { Connection } from '../../../../shared/model/server.ts';
import { replacePlaceholders } from '../../secrets/placeholders.ts';
import type { Machine } from './paths.ts';

/** A short hash of the identity. */
export function identityOf(connection: Connection, machine: Pick<Machine, 'env' | 'homeDir'>): string {
  return shortHash(JSON.stringify(canonical(connection, machine)));
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** True if `known`, whose secrets may be in the vault, is the same server as `found`. */
export function isSameServer(known: Connection, found: Connection, machine: Pick<Machine, 'env' | 'homeDir'>): boolean {
  const a = canonical(known, machine);
  const b = canonical(found, machine);
  return a.length === b.length && a.every((part, index) => fits(part, b[index] as string));
}

/** A vault reference matches any string. */
function fits(known: string, found: string): boolean {
  if (known === found) return true;
  const pieces = known.split(/\$\{secret:[^{}]{1,1000}\}/);
  if (pieces.length === 1) return false;
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const next = index === pieces.length - 1 ? found.length - piece.length : found.indexOf(piece, at);
    if (next < at || !found.startsWith(piece, next) || (index === 0 && next !== 0)) return false;
    at = next + piece.length;
  }
  return true;
}

function canonical(connection: Connection, machine: Pick<Machine, 'env' | 'homeDir'>): string[] {
  const value = (text: string) => resolved(text, machine);
  if (connection.type !== 'stdio') {
    return ['url', plainUrl(value(connection.url)), ...pairs(connection.headers, (name) => name.toLowerCase(), value)];
  }
  const { command, args, env, cwd, envFile } = connection;
  const argv = [plainProgram(value(command)), ...args.map(value)];
  // `npx -y x` and `npx x` start the same server.
  const said = /^(?:npx|bunx)$/.test(argv[0] as string) ? argv.filter((arg) => arg !== '-y' && arg !== '--yes') : argv;
  return ['argv', ...said, 'env', ...pairs(env, (name) => name, value), cwd ? `cwd ${value(cwd)}` : '', envFile ?? ''];
}

function pairs(
  record: Record<string, string>,
  key: (name: string) => string,
  value: (text: string) => string,
): string[] {
  return Object.entries(record)
    .map(([name, text]) => `${key(name)}=${value(text)}`)
    .sort();
}

/** Resolves placeholders where possible. Others are kept, so that `${X}` equals `${X}`. */
function resolved(text: string, { env, homeDir }: Pick<Machine, 'env' | 'homeDir'>): string {
  const filled = replacePlaceholders(text, (placeholder) => {
    if (placeholder.kind === 'home') return homeDir;
    if (placeholder.kind !== 'variable') return undefined;
    return env[placeholder.name] || placeholder.fallback || `\${${placeholder.name}}`;
  });
  return /^~(?=$|[\\/])/.test(filled) ? homeDir + filled.slice(1) : filled;
}

function plainProgram(command: string): string {
  return command.replace(/\.(?:cmd|exe|bat|ps1)$/i, '');
}

/** Normalizes the case of the host, default ports and a trailing slash. */
function plainUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.href.replace(/\/(?=$|\?)/, '') : url;
}
