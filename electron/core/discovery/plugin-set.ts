/** The plug-ins in force: those of the config as it was last read. */
import { dirname } from 'node:path';
import type { DiscoveryPlugin } from '../extension/extension.ts';
import { type LoadedPlugins, loadPlugins } from './load.ts';

export interface PluginSet extends Readonly<LoadedPlugins> {
  /** Those that provide tools of their own. */
  readonly providers: DiscoveryPlugin[];
  /** Whether one of them guards access, so that nothing may pass that it has not seen. */
  readonly guards: boolean;
  /** Loads the plug-ins named in `file`; without one, paths count from `baseDir`. Never rejects. */
  load(entries: readonly unknown[], file: string | undefined): Promise<void>;
}

export function createPluginSet(baseDir: string, warn: (message: string) => void): PluginSet {
  let loaded: LoadedPlugins = { plugins: [], problems: [], version: '' };
  return {
    get plugins() {
      return loaded.plugins;
    },
    get problems() {
      return loaded.problems;
    },
    get version() {
      return loaded.version;
    },
    get providers() {
      return loaded.plugins.filter((plugin) => plugin.provideTools);
    },
    get guards() {
      return loaded.plugins.some((plugin) => plugin.onFailure === 'reject');
    },
    async load(entries, file) {
      loaded = await loadPlugins(entries, { baseDir: file ? dirname(file) : baseDir, configFile: file });
      for (const { message } of loaded.problems) warn(message);
    },
  };
}
