/** Finds the config file in force, reads it, checks it and resolves its paths. */
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { Host } from '../host.ts';
import { checkDocument } from './check.ts';
import { readDocument, type WrittenDocument } from './document.ts';
import { normalise } from './normalise.ts';
import { type Config, type ConfigDocument, defaultConfig, toConfig } from './schema.ts';
import { configCandidates } from './search-order.ts';

export interface Loaded {
  /** The file in force; absent when there is none. */
  file?: string;
  /** Absent when the file has problems. */
  config?: Config;
  /** The settings that stand in the file, as `approvals.timeout`. */
  written?: string[];
  problems: Failure[];
  warnings: string[];
}

/** Never rejects: what is wrong with the file is in `problems`. */
export async function loadConfig(host: Host): Promise<Loaded> {
  for (const { file, sectionOnly } of configCandidates(host)) {
    let written: WrittenDocument | undefined;
    try {
      written = await readDocument(file);
    } catch (error) {
      return { file, problems: [toFailure(error, 'CONFIG_INVALID')], warnings: [] };
    }
    if (!written) continue;
    const { data } = written;
    if (sectionOnly && !(isObject(data) && data.discovery !== undefined)) continue;
    return check(host, file, sectionOnly && isObject(data) ? { discovery: data.discovery } : data, written);
  }
  return { config: defaultConfig(host.env), problems: [], warnings: [] };
}

function check(host: Host, file: string, data: unknown, written: WrittenDocument): Loaded {
  // Functions and class instances (plug-ins) must survive, so only what the check itself changes is copied.
  const checked = checkDocument(data, file, written.line);
  const { document, problems, warnings } = checked;
  if (!document) return { file, problems, warnings };
  const config = toConfig(resolvePaths(document, file, host), host.env);
  return { file, config, written: settingsIn(data), problems, warnings };
}

function settingsIn(data: unknown): string[] {
  const { document } = normalise(data ?? {});
  return Object.entries(isObject(document) ? document : {}).flatMap(([key, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
  );
}

function resolvePaths(document: ConfigDocument, file: string, host: Host): ConfigDocument {
  const base = dirname(file);
  const toPath = (path: string) => resolve(base, expandHome(path, host.homeDir));
  return {
    ...document,
    sources: document.sources.map(({ type, path }) => ({ type, path: path === '' ? '' : toPath(path) })),
    search: { ...document.search, model: document.search.model === '' ? '' : toPath(document.search.model) },
    plugins: document.plugins.map((plugin) => (typeof plugin === 'string' ? modulePath(plugin, file, toPath) : plugin)),
  };
}

/** A path becomes absolute; a package name is looked up from the config file, or stays as it is for a later complaint. */
function modulePath(plugin: string, file: string, toPath: (path: string) => string): string {
  if (/^[.~]/.test(plugin) || isAbsolute(plugin)) return toPath(plugin);
  try {
    return createRequire(file).resolve(plugin);
  } catch {
    return plugin;
  }
}

function expandHome(path: string, homeDir: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(homeDir, path.slice(1)) : path;
}
