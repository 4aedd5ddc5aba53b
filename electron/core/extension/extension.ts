/** What people outside write against: `gatehouse/plugin` and `gatehouse/config`, and how the modules that they wrote are run. */
import * as configModule from './config.ts';
import * as pluginModule from './plugin.ts';

export type { DiscoveryPlugin, HookContext, ProviderContext } from './plugin.ts';
export type { AskOptions, FieldOptions, Option, TypedCalls } from './typed-calls.ts';

/**
 * Runs a TypeScript or JavaScript module of a person's own and gives what it exports. Our two modules resolve in every
 * folder, whether or not the package is installed there. Throws whatever the module throws.
 */
export async function importModule(file: string): Promise<Record<string, unknown>> {
  // Loaded only when there is a module to run: most configs are plain data.
  const { createJiti } = await import('jiti');
  // Nothing is cached, in memory or on disk: an edited module counts at the next reload, and a cache in a shared temp
  // folder could be written by others.
  const jiti = createJiti(file, {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    virtualModules: { 'gatehouse/config': configModule, 'gatehouse/plugin': pluginModule },
  });
  return jiti.import(file);
}
