/** Turns the `plugins` of a config into plug-ins: objects as they are, module paths in TypeScript or JavaScript loaded. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type Failure, fail, toFailure } from '../../../shared/failure.ts';
import { type DiscoveryPlugin, importModule } from '../extension/extension.ts';
import { within } from './deadline.ts';

const loadTimeoutMs = 10_000;

const hooks = ['beforeDiscovery', 'transformTool', 'afterDiscovery', 'provideTools', 'execute', 'cacheKey'] as const;

export interface LoadedPlugins {
  plugins: DiscoveryPlugin[];
  problems: Failure[];
  /** Changes when plug-ins do: what was discovered under another version has to be discovered again. */
  version: string;
}

/** How a module is named in a config with more than its path. */
interface ModuleEntry {
  path?: unknown;
  options?: unknown;
  /** Offer no tool at all rather than tools that this plug-in has not seen. */
  required?: unknown;
}

/**
 * Loads plug-ins in order. An entry is a plug-in, the path of a module (relative to `baseDir`) that exports one as
 * default or as `plugin`, or `{path, options}` whose module exports a function from options to a plug-in. Each entry
 * that cannot be used is left out with a PLUGIN_FAILED problem that names it; this never rejects. `configFile` is where
 * plug-ins that are objects are written.
 */
export async function loadPlugins(
  entries: readonly unknown[],
  { baseDir, configFile }: { baseDir: string; configFile?: string | undefined },
): Promise<LoadedPlugins> {
  const plugins: DiscoveryPlugin[] = [];
  const problems: Failure[] = [];
  const version = createHash('sha256');
  for (const [index, entry] of entries.entries()) {
    const path = `plugins[${index}]`;
    const file = moduleOf(entry, baseDir);
    const source = file ?? configFile;
    version.update(`${JSON.stringify(entry)}\n${source ? await readFile(source, 'utf8').catch(() => '') : ''}\n`);
    try {
      const plugin = checked(await resolveEntry(entry, file));
      if (plugins.some((other) => other.name === plugin.name))
        throw new Error(`another plug-in is called "${plugin.name}" already`);
      version.update(`${plugin.name} ${plugin.version ?? ''}\n`);
      plugins.push(plugin);
    } catch (error) {
      const isRequired = (entry as ModuleEntry | null)?.required === true;
      if (isRequired) plugins.push(noTools(`${file}`));
      problems.push({
        code: 'PLUGIN_FAILED',
        message: `The plug-in ${file ?? path} cannot be used: ${toFailure(error).message}`,
        hint: isRequired
          ? 'Mend the plug-in. It is required, so no tool is offered until then.'
          : 'Mend the plug-in or take it out of the config; the others run without it.',
        path,
        ...(file !== undefined && { file }),
      });
    }
  }
  return { plugins, problems, version: plugins.length === 0 ? '' : version.digest('base64url').slice(0, 12) };
}

const noTools = (name: string): DiscoveryPlugin => ({ name, onFailure: 'reject', transformTool: () => null });

function moduleOf(entry: unknown, baseDir: string): string | undefined {
  const path = typeof entry === 'string' ? entry : (entry as ModuleEntry | null)?.path;
  if (typeof path !== 'string') return undefined;
  return isAbsolute(path) ? path : resolve(baseDir, path);
}

async function resolveEntry(entry: unknown, file: string | undefined): Promise<unknown> {
  if (file === undefined) return entry;
  const options = typeof entry === 'string' ? undefined : (entry as ModuleEntry).options;
  const tooLate = () => fail('PLUGIN_FAILED', `it took longer than ${loadTimeoutMs} ms to load`);
  return within(loadTimeoutMs, undefined, tooLate, async () => {
    const loaded = await importModule(file);
    const exported = loaded.plugin ?? loaded.default;
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
