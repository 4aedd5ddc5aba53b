/** Loads the `plugins` of a config: objects, and TypeScript or JavaScript modules. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type Failure, fail, toFailure } from '../../../shared/failure.ts';
import { fitsToolKey } from '../../../shared/tool-key.ts';
import { withDeadline } from '../async/deadline.ts';
import { fromForeignProvider } from './foreign-provider.ts';
import { importModule } from './import-module.ts';
import type { DiscoveryPlugin } from './plugin-api.ts';

const loadTimeoutMs = 10_000;

const hooks = ['beforeDiscovery', 'transformTool', 'afterDiscovery', 'provideTools', 'execute', 'cacheKey'] as const;

const knownKeys = new Set<string>([...hooks, 'name', 'version', 'timeoutMs', 'onFailure', 'ttlMs', 'reliability']);

/**
 * Thrown if a plug-in uses a key that this version does not know. Skipping that plug-in would expose the tools that it
 * restricts.
 */
class UnknownToApi extends Error {}

export interface LoadedPlugins {
  plugins: DiscoveryPlugin[];
  problems: Failure[];
  /** Whether a required plug-in cannot be used, so that every tool stays hidden. */
  hidesTools: boolean;
  /** Changes whenever the plug-ins change. Tools that were discovered under a different version are discovered again. */
  version: string;
}

/** A module in a config, with options. */
interface ModuleEntry {
  path?: unknown;
  options?: unknown;
  /** If true, every tool is hidden while this plug-in cannot be loaded. */
  required?: unknown;
}

/**
 * Loads plug-ins in order. An entry is a plug-in, the path of a module (relative to `baseDir`) that exports one as
 * default or as `plugin`, or `{path, options}` whose module exports a function from options to a plug-in. An entry that
 * cannot be used is reported as PLUGIN_FAILED and skipped; the promise never rejects. `configFile` is the file that
 * contains plug-in objects.
 */
export async function loadPlugins(
  entries: readonly unknown[],
  { baseDir, configFile }: { baseDir: string; configFile?: string | undefined },
): Promise<LoadedPlugins> {
  const plugins: DiscoveryPlugin[] = [];
  const problems: Failure[] = [];
  let hidesTools = false;
  const version = createHash('sha256');
  for (const [index, entry] of entries.entries()) {
    const path = `plugins[${index}]`;
    const file = moduleOf(entry, baseDir);
    const source = file ?? configFile;
    version.update(`${JSON.stringify(entry)}\n${source ? await readFile(source, 'utf8').catch(() => '') : ''}\n`);
    try {
      const plugin = validatePlugin(await resolveEntry(entry, file));
      if (plugins.some((other) => other.name === plugin.name))
        throw new Error(`another plug-in already has the name "${plugin.name}"`);
      version.update(`${plugin.name} ${plugin.version ?? ''}\n`);
      plugins.push(plugin);
    } catch (error) {
      const isRequired = (entry as ModuleEntry | null)?.required === true || error instanceof UnknownToApi;
      if (isRequired) plugins.push(noTools(file ?? path));
      hidesTools ||= isRequired;
      problems.push({
        code: 'PLUGIN_FAILED',
        message: `The plug-in ${file ?? path} cannot be used: ${toFailure(error).message}`,
        hint: isRequired
          ? 'Fix the plug-in. It is required, so no tools are available until then.'
          : 'Fix the plug-in or remove it from the config. Other plug-ins are not affected.',
        path,
        ...(file !== undefined && { file }),
      });
    }
  }
  return {
    plugins,
    problems,
    hidesTools,
    version: plugins.length === 0 ? '' : version.digest('base64url').slice(0, 12),
  };
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
  return withDeadline(loadTimeoutMs, undefined, tooLate, async () => {
    const loaded = await importModule(file);
    const exported = loaded.plugin ?? loaded.default;
    return typeof exported === 'function' ? exported(options ?? {}) : exported;
  });
}

function validatePlugin(candidate: unknown): DiscoveryPlugin {
  if (typeof candidate !== 'object' || candidate === null)
    throw new Error('it exports no plug-in (an object as default export or as "plugin")');
  const plugin = fromForeignProvider(candidate) as DiscoveryPlugin;
  if (typeof plugin.name !== 'string' || plugin.name.trim() === '') throw new Error('it has no "name"');
  if (!fitsToolKey(plugin.name)) throw new Error(`its name "${plugin.name}" contains "::"`);
  for (const hook of hooks)
    if (plugin[hook] !== undefined && typeof plugin[hook] !== 'function')
      throw new Error(`its ${hook} is not a function`);
  const unknown = Object.keys(plugin).filter((key) => !knownKeys.has(key));
  if (unknown.length > 0)
    throw new UnknownToApi(
      `it has ${unknown.map((key) => `"${key}"`).join(', ')}, which this version does not support`,
    );
  if (plugin.provideTools && !plugin.execute) throw new Error('it has provideTools but no execute to run them');
  if (!hooks.some((hook) => plugin[hook])) throw new Error(`it has none of ${hooks.slice(0, 4).join(', ')}`);
  for (const key of ['timeoutMs', 'ttlMs'] as const)
    if (plugin[key] !== undefined && !(Number(plugin[key]) >= 0))
      throw new Error(`its ${key} is not a number of milliseconds`);
  validateReliability(plugin.reliability);
  return plugin;
}

/** Reports an invalid rule when the plug-in is loaded, rather than when a listing fails. */
function validateReliability(rules: DiscoveryPlugin['reliability'] = []): void {
  if (!Array.isArray(rules)) throw new Error('its reliability is not a list of rules');
  for (const [index, rule] of rules.entries()) {
    if (typeof rule?.when !== 'function') throw new Error(`its reliability[${index}] has no function "when"`);
    if (!['retry', 'fail-fast', 'fallback'].includes(rule.then))
      throw new Error(`its reliability[${index}].then is not "retry", "fail-fast" or "fallback"`);
  }
}
