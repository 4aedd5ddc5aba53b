/** Checks a document, resolves its paths and converts it to a Config. */
import { createRequire } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Failure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { expandHome } from '../files/expand-home.ts';
import type { Host } from '../host.ts';
import { checkDocument } from './check.ts';
import type { WrittenDocument } from './document.ts';
import { normalize } from './normalize.ts';
import { type Config, type ConfigDocument, toConfig } from './schema.ts';

export interface CheckedConfig {
  /** Absent if the file has problems. */
  config?: Config;
  /** The keys that are set in the file, such as `approvals.timeout`. */
  written: string[];
  problems: Failure[];
  warnings: string[];
}

/** `sectionOnly`: only the `discovery` section of the document is used. Never throws for a bad document. */
export function configFromDocument(
  host: Pick<Host, 'env' | 'homeDir'>,
  file: string,
  { data: whole, line }: WrittenDocument,
  sectionOnly: boolean,
): CheckedConfig {
  const data = sectionOnly && isObject(whole) ? { discovery: whole.discovery } : whole;
  // The check copies only what it changes, so that functions and class instances (plug-ins) survive.
  const { document, problems, warnings } = checkDocument(data, file, line);
  if (!document) return { written: [], problems, warnings };
  const config = toConfig(resolvePaths(document, file, host.homeDir), host.env);
  return { config, written: settingsIn(data), problems, warnings };
}

function settingsIn(data: unknown): string[] {
  const { document } = normalize(data ?? {});
  return Object.entries(isObject(document) ? document : {}).flatMap(([key, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : [key],
  );
}

function resolvePaths(document: ConfigDocument, file: string, homeDir: string): ConfigDocument {
  const base = dirname(file);
  const toPath = (path: string) => resolve(base, expandHome(path, homeDir));
  return {
    ...document,
    sources: document.sources.map(({ type, path }) => ({ type, path: path === '' ? '' : toPath(path) })),
    plugins: document.plugins.map((plugin) => (typeof plugin === 'string' ? modulePath(plugin, file, toPath) : plugin)),
  };
}

/**
 * Makes a path absolute. Resolves a package name from the config file; a name that cannot be resolved is kept, so that
 * the loader reports it.
 */
function modulePath(plugin: string, file: string, toPath: (path: string) => string): string {
  if (/^[.~]/.test(plugin) || isAbsolute(plugin)) return toPath(plugin);
  try {
    return createRequire(file).resolve(plugin);
  } catch {
    return plugin;
  }
}
