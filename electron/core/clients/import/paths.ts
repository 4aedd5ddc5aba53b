/** The locations of clients' files, which depend on the platform and environment, and the expansion of `*` segments. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Format } from '../../files/document.ts';
import { envVariable } from '../../files/env-variable.ts';
import { expandHome } from '../../files/expand-home.ts';
import type { Host } from '../../host.ts';
import type { Reader } from './raw-servers.ts';

/** The part of a Host that determines file locations. */
export type Machine = Pick<Host, 'platform' | 'homeDir' | 'cwd' | 'env'>;

export interface ConfigLocation {
  /** Absolute; a segment may contain one `*`. */
  path: string;
  /** `project` files belong to the current folder. */
  scope: 'user' | 'project' | 'managed';
  /** Toolkeep imports from this file but never writes it. */
  readOnly?: boolean;
  /** Set if it differs from the client's default. */
  format?: Format;
  reader?: Reader;
  /** Reads a file that is not text; undefined if it is missing. */
  load?: (file: string) => Promise<Record<string, unknown> | undefined>;
  /** The paths of further files that the reader needs. */
  companions?: (file: string) => string[];
}

export type Folders = ReturnType<typeof foldersOf>;

export function foldersOf({ platform, homeDir, cwd, env }: Machine) {
  const windows = platform === 'win32';
  const appData = envVariable(env, 'APPDATA', windows) || join(homeDir, 'AppData', 'Roaming');
  const localAppData = envVariable(env, 'LOCALAPPDATA', windows) || join(homeDir, 'AppData', 'Local');
  // The XDG standard tells programs to ignore a relative path here.
  const xdg = env.XDG_CONFIG_HOME;
  const xdgConfig = xdg && isAbsolute(xdg) ? xdg : join(homeDir, '.config');
  const config = windows
    ? appData
    : platform === 'darwin'
      ? join(homeDir, 'Library', 'Application Support')
      : xdgConfig;
  return {
    /** A path in the home folder. */
    home: (...segments: string[]): string => join(homeDir, ...segments),
    /** `%APPDATA%`, `~/Library/Application Support`, or `$XDG_CONFIG_HOME`. */
    config: (...segments: string[]): string => join(config, ...segments),
    /** `~/.config` on every platform but Windows, where it is `%APPDATA%`; uses XDG_CONFIG_HOME. */
    dotConfig: (...segments: string[]): string => join(windows ? appData : xdgConfig, ...segments),
    /** A path in `%LOCALAPPDATA%`; only on Windows. */
    local: (...segments: string[]): string => join(localAppData, ...segments),
    project: (...segments: string[]): string => join(cwd, ...segments),
    /** The folder that the variable names, or `fallback` if it is not set. */
    fromEnv: (variable: string, fallback: string): string => {
      const value = envVariable(env, variable, windows);
      return value ? expandHome(value, homeDir) : fallback;
    },
  };
}

/** The existing files that match a path with `*`, sorted; a path without `*` is returned unchanged. Never throws. */
export async function expandPath(path: string): Promise<string[]> {
  if (!path.includes('*')) return [path];
  const above = dirname(path);
  const pattern = basename(path);
  const folders = above.includes('*') ? await expandPath(above) : [above];
  if (!pattern.includes('*')) return folders.map((folder) => join(folder, pattern));
  const [start = '', end = ''] = pattern.split('*', 2);
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.sort()) {
      const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
      if (fits) found.push(join(folder, name));
    }
  }
  return found;
}
