/** Imports modules that users write, and provides `gatehouse/plugin` and `gatehouse/config` to them. */
import { Console } from 'node:console';
import * as configModule from './config-api.ts';
import * as pluginModule from './plugin-api.ts';

/**
 * Runs a TypeScript or JavaScript module and returns its exports. `gatehouse/plugin` and `gatehouse/config` resolve in every
 * folder, whether or not the package is installed there. Throws whatever the module throws.
 */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  keepConsoleOffStdout();
  // Loaded on demand, because most configs are plain data.
  const { createJiti } = await import('jiti');
  // No cache in memory or on disk: an edited module applies at the next reload, and a cache in a shared temporary folder
  // could be written by other users.
  const jiti = createJiti(file, {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    virtualModules: { 'gatehouse/config': configModule, 'gatehouse/plugin': pluginModule },
  });
  return jiti.import(file);
}

let isRedirected = false;

/** Stdout may carry protocol or JSON, so `console.log` of a module goes to stderr. Gatehouse itself never uses console. */
function keepConsoleOffStdout(): void {
  if (isRedirected) return;
  isRedirected = true;
  const { log, info, debug, table, dir, group, groupEnd } = new Console(process.stderr, process.stderr);
  Object.assign(console, { log, info, debug, table, dir, group, groupEnd });
}
