/**
 * The package of `npx` is installed into the server's own folder before the server runs: with the registry but without
 * secrets. The server then runs without the registry.
 */
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Host } from '../../host.ts';
import { defaultRegistry, npmRegistryOf } from '../../registry/npmrc.ts';
import type { Launch } from '../connection/spawn-server.ts';

const flags = new Set(['-y', '--yes', '-q', '--quiet', '--silent', '--prefer-offline', '--prefer-online']);

/** The packages of an `npx` command. Undefined for other commands, and for options that are not understood. */
export function npxPackages({ command, args }: Pick<Launch, 'command' | 'args'>): string[] | undefined {
  if (basename(command) !== 'npx') return undefined;
  const packages: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [, named] = /^--package=(.+)/.exec(arg) ?? [];
    if (named !== undefined) packages.push(named);
    else if (arg === '-p' || arg === '--package') {
      index += 1;
      packages.push(args[index] ?? '');
    } else if (!arg.startsWith('-')) return packages.length > 0 ? packages : [arg];
    else if (!flags.has(arg)) return undefined;
  }
  return undefined;
}

/** Where `npx` keeps these packages, in its cache. */
const folderOf = (packages: readonly string[]) =>
  join('_npx', hash('sha512', packages.toSorted((a, b) => a.localeCompare(b, 'en')).join('\n'), 'hex').slice(0, 16));

/** Outside the server's folder, so that the server cannot claim an installation that was interrupted. */
const recordOf = (keeps: string) => `${keeps}.installed`;

/** Whether an earlier start installed the packages completely. */
export function isInstalled(packages: readonly string[], keeps: string): boolean {
  const folder = folderOf(packages);
  const record = recordOf(keeps);
  return existsSync(record) && readFileSync(record, 'utf8') === folder && existsSync(join(keeps, 'npm', folder));
}

export async function recordInstalled(packages: readonly string[], keeps: string): Promise<void> {
  await writeFile(recordOf(keeps), folderOf(packages), { mode: 0o600 });
}

/** Installs the packages and runs nothing of them but their install scripts. */
export function installLaunch(launch: Launch, packages: readonly string[], secrets: readonly string[]): Launch {
  const env = Object.entries(launch.env).filter(
    ([, text]) => !secrets.some((secret) => secret && text.includes(secret)),
  );
  const args = ['-y', ...packages.map((name) => `--package=${name}`), '-c', ':'];
  return { ...launch, args, env: Object.fromEntries(env) };
}

/** Where `npx` gets these packages from, if the user's own npm settings say so. They can contain tokens, so they stay outside. */
export async function registrySettings(packages: readonly string[], host: Pick<Host, 'homeDir'>) {
  const all = ['', ...packages.flatMap((name) => /^@[^/]+/.exec(name)?.[0] ?? [])].map(async (scope) => {
    const url = await npmRegistryOf(scope && `${scope}/`, host);
    return url === defaultRegistry ? [] : [[`npm_config_${scope && `${scope}:`}registry`, url]];
  });
  return Object.fromEntries((await Promise.all(all)).flat());
}

/** The hosts from which `npx` downloads. The user's own registry may be in the local network. */
export function registryNetwork(env: Launch['env']) {
  const own = Object.entries(env).flatMap(([name, value]) => {
    const url = /^npm_config_(?:@.+:)?registry$/.test(name) ? URL.parse(value) : null;
    return url ? [url.host] : [];
  });
  return { allow: [new URL(defaultRegistry).host, ...own], ...(own.length > 0 && { local: true }) };
}
