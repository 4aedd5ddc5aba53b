/** The user's own npm settings, which decide where `npx` gets packages from. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host, Machine } from '../host.ts';

/** Resolves with a function that returns the setting in `~/.npmrc` for a key. */
async function readNpmrc({ homeDir }: Pick<Host, 'homeDir'>): Promise<(key: string) => string | undefined> {
  const text = await readFile(join(homeDir, '.npmrc'), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.split(/\s*=\s*/));
  return (key) =>
    lines
      .findLast(([name]) => name?.trim() === key)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2');
}

export const defaultRegistry = 'https://registry.npmjs.org';

/** The npm registry that `npx` uses for a package. */
export async function npmRegistryOf(identifier: string, host: Pick<Host, 'homeDir'>): Promise<string> {
  const setting = await readNpmrc(host);
  const scope = /^@[^/]+/.exec(identifier)?.[0];
  const registry = (scope && setting(`${scope}:registry`)) ?? setting('registry') ?? '';
  return URL.canParse(registry) ? registry : defaultRegistry;
}

/** The folder in which `npx` keeps downloaded packages. */
export async function npmCacheOf(host: Machine): Promise<string> {
  const { homeDir, platform, env } = host;
  const setting = (await readNpmrc(host))('cache');
  if (setting) return setting.replace(/^(?:~|\$\{HOME\})(?=[\\/]|$)/, homeDir);
  return platform === 'win32' && env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'npm-cache') : join(homeDir, '.npm');
}
