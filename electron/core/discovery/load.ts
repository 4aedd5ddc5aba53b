/** Turns the `plugins` of a config into plug-ins: objects as they are, module paths in TypeScript or JavaScript loaded. */
import { isAbsolute, resolve } from 'node:path';
import { type Failure, fail, toFailure } from '../../../shared/failure.ts';
import { within } from './deadline.ts';
import type { DiscoveryPlugin } from './plugin.ts';
import * as pluginModule from './plugin.ts';

const loadTimeoutMs = 10_000;

const hooks = ['beforeDiscovery', 'transformTool', 'afterDiscovery', 'provideTools', 'execute', 'cacheKey'] as const;

/**
 * Loads plug-ins in order. An entry is a plug-in, the path of a module (relative to `baseDir`) that exports one as
 * default or as `plugin`, or `{path, options}` whose module exports a function from options to a plug-in. Each entry
 * that cannot be used is left out with a PLUGIN_FAILED problem that names it; this never rejects.
 */
export async function loadPlugins(
  entries: readonly unknown[],
  { baseDir }: { baseDir: string },
): Promise<{ plugins: DiscoveryPlugin[]; problems: Failure[] }> {
  const plugins: DiscoveryPlugin[] = [];
  const problems: Failure[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = `plugins[${index}]`;
    try {
      const plugin = checked(await resolveEntry(entry, baseDir));
      if (plugins.some((other) => other.name === plugin.name))
        throw new Error(`another plug-in is called "${plugin.name}" already`);
      plugins.push(plugin);
    } catch (error) {
      const file = moduleOf(entry, baseDir);
      problems.push({
        code: 'PLUGIN_FAILED',
        message: `The plug-in ${file ?? path} cannot be used: ${toFailure(error).message}`,
        hint: 'Mend the plug-in or take it out of the config; the others run without it.',
        path,
        ...(file === undefined ? {} : { file }),
      });
    }
  }
  return { plugins, problems };
}

function moduleOf(entry: unknown, baseDir: string): string | undefined {
  const path = typeof entry === 'string' ? entry : (entry as { path?: unknown } | null)?.path;
  if (typeof path !== 'string') return undefined;
  return isAbsolute(path) ? path : resolve(baseDir, path);
}

async function resolveEntry(entry: unknown, baseDir: string): Promise<unknown> {
  const file = moduleOf(entry, baseDir);
  if (file === undefined) return entry;
  const options = typeof entry === 'string' ? undefined : (entry as { options?: unknown }).options;
  const tooLate = () => fail('PLUGIN_FAILED', `it took longer than ${loadTimeoutMs} ms to load`);
  return within(loadTimeoutMs, undefined, tooLate, async () => {
    // Loaded only when there is a plug-in to load. Nothing is cached: an edited plug-in counts at the next reload, and a
    // cache in a shared temp folder could be written by others.
    const { createJiti } = await import('jiti');
    const jiti = createJiti(`${baseDir}/`, {
      moduleCache: false,
      fsCache: false,
      virtualModules: { 'gatehouse/plugin': pluginModule },
    });
    const loaded = (await jiti.import(file)) as { default?: unknown; plugin?: unknown };
    const exported = loaded.default ?? loaded.plugin;
    return typeof exported === 'function' ? exported(options ?? {}) : exported;
  });
}

function checked(candidate: unknown): DiscoveryPlugin {
  if (typeof candidate !== 'object' || candidate === null)
    throw new Error('it exports no plug-in (an object as default export or as "plugin")');
  const plugin = candidate as DiscoveryPlugin;
  if (typeof plugin.name !== 'string' || plugin.name.trim() === '') throw new Error('it has no "name"');
  if (plugin.name.includes('::')) throw new Error(`its name "${plugin.name}" holds "::"`);
  for (const hook of hooks)
    if (plugin[hook] !== undefined && typeof plugin[hook] !== 'function')
      throw new Error(`its ${hook} is not a function`);
  if (plugin.provideTools && !plugin.execute) throw new Error('it has provideTools but no execute to run them');
  if (!hooks.some((hook) => plugin[hook])) throw new Error(`it has none of ${hooks.slice(0, 4).join(', ')}`);
  for (const key of ['timeoutMs', 'ttlMs'] as const)
    if (plugin[key] !== undefined && !(Number(plugin[key]) >= 0))
      throw new Error(`its ${key} is not a number of milliseconds`);
  return plugin;
}
