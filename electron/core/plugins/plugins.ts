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
  const set: PluginSet = {
    plugins: [],
    problems: [],
    hidesTools: false,
    version: '',
    providers: [],
    hasGuards: false,
    async load(entries, file) {
      const loaded = await loadPlugins(entries, { baseDir: file ? dirname(file) : baseDir, configFile: file });
      const providers = loaded.plugins.filter((plugin) => plugin.provideTools);
      const hasGuards = loaded.plugins.some((plugin) => plugin.onFailure === 'reject');
      Object.assign(set, loaded, { providers, hasGuards });
      for (const { message } of loaded.problems) warn(message);
    },
  };
  return set;
}
