/** Imports modules that users write, and makes `toolkeep/plugin` and `toolkeep/config` available to them. */
import { Console } from 'node:console';
import * as configModule from './config-api.ts';
import * as pluginModule from './plugin-api.ts';

/**
 * Runs a TypeScript or JavaScript module and returns its exports. `toolkeep/plugin` and `toolkeep/config` resolve in every
 * folder, whether or not the package is installed there, and `config` and `defineConfig` need no import. Throws whatever the
 * module throws.
 */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  keepConsoleOffStdout();
  const { config, defineConfig } = configModule;
  Object.assign(globalThis, { config, defineConfig });
  // Loaded on demand, because most configs are plain data.
  const { createJiti } = await import('jiti');
  // Do not cache modules in memory or on disk: an edited module must apply at the next reload, and other users could
  // write to a cache in a shared temporary folder.
  const jiti = createJiti(file, {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    virtualModules: { 'toolkeep/config': configModule, 'toolkeep/plugin': pluginModule },
  });
  return jiti.import(file);
}

let isRedirected = false;

/**
 * Sends `console.log` output of modules to stderr, because stdout may carry protocol messages or JSON. Toolkeep itself
 * never uses console.
 */
function keepConsoleOffStdout(): void {
  if (isRedirected) return;
  isRedirected = true;
  const { log, info, debug, table, dir, group, groupEnd } = new Console(process.stderr, process.stderr);
  Object.assign(console, { log, info, debug, table, dir, group, groupEnd });
}
