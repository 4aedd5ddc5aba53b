/** The active plug-ins: those of the most recently read config. */
import { dirname } from 'node:path';
import { type LoadedPlugins, loadPlugins } from './load.ts';
import type { DiscoveryPlugin } from './plugin-api.ts';

export interface PluginSet extends Readonly<LoadedPlugins> {
  /** Plug-ins that provide tools. */
  readonly providers: DiscoveryPlugin[];
  /** True if a plug-in restricts access, so that tools it has not processed must stay hidden. */
  readonly hasGuards: boolean;
  /** Loads the plug-ins of the config file `file`; without a file, paths are relative to `baseDir`. Never rejects. */
  load(entries: readonly unknown[], file: string | undefined): Promise<void>;
}

export function createPluginSet(baseDir: string, warn: (message: string) => void): PluginSet {
  let loaded: LoadedPlugins = { plugins: [], problems: [], version: '' };
  let providers: DiscoveryPlugin[] = [];
  let hasGuards = false;
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
      return providers;
    },
    get hasGuards() {
      return hasGuards;
    },
    async load(entries, file) {
      loaded = await loadPlugins(entries, { baseDir: file ? dirname(file) : baseDir, configFile: file });
      providers = loaded.plugins.filter((plugin) => plugin.provideTools);
      hasGuards = loaded.plugins.some((plugin) => plugin.onFailure === 'reject');
      for (const { message } of loaded.problems) warn(message);
    },
  };
}
