/**
 * From a connected server to what it offers: lists tools, prompts, resources and templates in parallel, validates,
 * judges, and passes them through the plug-ins. The entry of this room; `catalog` keeps what comes out.
 */
import { fail, toFailure } from '../../../shared/failure.ts';
import type { Tool } from '../../../shared/model.ts';
import type { DiscoveryPlugin } from '../extension/extension.ts';
import { type SharedRun, share, within } from './deadline.ts';
import { afterDiscovery, beforeDiscovery, transformTools } from './hooks.ts';
import { type DiscoverySource, type Listed, listAll } from './pages.ts';
import { toolsFrom } from './tools.ts';
import { versionText } from './version.ts';

export { annotate } from './annotate.ts';
export { type ArgumentCheck, validateArguments } from './arguments.ts';
export { changeToAccept, fingerprint } from './fingerprint.ts';
export { shownName, slugOf, uniqueSlugs, withHash } from './names.ts';
export type { DiscoverySource } from './pages.ts';
export { createPluginSet, type PluginSet } from './plugin-set.ts';
export { type AskPerson, createProvider, type ProviderEvent, type ToolProvider } from './provider.ts';
export { toolVersion } from './version.ts';

/** Everything that a server offers, raw where it passes through. */
export interface Discovered {
  tools: Tool[];
  prompts: Record<string, unknown>[];
  resources: Record<string, unknown>[];
  resourceTemplates: Record<string, unknown>[];
  instructions?: string;
  /** As the server says it. */
  version?: string;
  /** What was skipped or looks odd, in plain words. */
  warnings: string[];
}

export interface DiscoverOptions {
  slug: string;
  plugins: DiscoveryPlugin[];
  signal?: AbortSignal;
  /** For the whole discovery: start of the server, all pages, all plug-ins. */
  timeoutMs: number;
  /** Tool names of the OTHER servers, with the server: to notice a description that meddles with them. */
  otherTools?: ReadonlyMap<string, string>;
}

/** Discoveries under way. One server is never asked twice at a time (row B1). */
const running = new WeakMap<DiscoverySource, SharedRun<Discovered>>();

/**
 * Discovers a server; starts it when it does not run. While one discovery of a server runs, later callers get the result
 * of that one, whatever their options. Rejects with SERVER_TIMEOUT after `timeoutMs`, CANCELLED by `signal`, or the
 * failure of the server; a list other than that of the tools that fails is a warning only.
 */
export function discover(upstream: DiscoverySource, options: DiscoverOptions): Promise<Discovered> {
  let run = running.get(upstream);
  if (!run) {
    run = share(
      (signal) => discoverOnce(upstream, options, signal),
      () => running.delete(upstream),
    );
    running.set(upstream, run);
  }
  return run.join(options.signal);
}

function discoverOnce(source: DiscoverySource, options: DiscoverOptions, signal: AbortSignal): Promise<Discovered> {
  const server = source.server.name;
  const tooLate = () =>
    fail('SERVER_TIMEOUT', `Discovery of "${server}" took longer than ${options.timeoutMs} ms.`, {
      server,
      hint: 'Set MCP_TOOL_TIMEOUT to a greater number of milliseconds if the server needs more time.',
    });
  return within(options.timeoutMs, signal, tooLate, (inner) => gather(source, options, inner));
}

async function gather(source: DiscoverySource, options: DiscoverOptions, signal: AbortSignal): Promise<Discovered> {
  const server = source.server.name;
  // The tools that a plug-in provides are its own already.
  const plugins = options.plugins.filter(({ name }) => name !== server);
  const before = await beforeDiscovery(plugins, server, signal);
  const { capabilities, instructions, serverInfo } = await source.start(signal);
  const version = versionText(serverInfo?.version);
  const request = { signal, timeoutMs: options.timeoutMs };
  const offered = (capability: string, method: string, field: string) =>
    capabilities[capability] ? listAll(source, method, field, request) : none;
  const optional = async (capability: string, method: string, field: string, silent = false) => {
    try {
      return await offered(capability, method, field);
    } catch (error) {
      if (signal.aborted) throw error;
      return { items: [], warnings: silent ? [] : [`${method} failed: ${toFailure(error).message}`] };
    }
  };
  const [tools, prompts, resources, templates] = await Promise.all([
    offered('tools', 'tools/list', 'tools'),
    optional('prompts', 'prompts/list', 'prompts'),
    optional('resources', 'resources/list', 'resources'),
    // Many servers with resources never heard of templates.
    optional('resources', 'resources/templates/list', 'resourceTemplates', true),
  ]);
  const lists = [tools, prompts, resources, templates];
  const warnings = [...before, ...lists.flatMap((list) => list.warnings)];
  if (!['tools', 'prompts', 'resources'].some((capability) => capabilities[capability]))
    warnings.push('The server says that it offers no tools, prompts or resources.');
  const valid = await toolsFrom(tools.items, server, options, warnings, signal);
  const transformed = await transformTools(plugins, server, valid, signal);
  const after = await afterDiscovery(plugins, server, transformed.tools, signal);
  return {
    tools: transformed.tools,
    prompts: named(prompts.items, 'prompt', ['name'], warnings),
    resources: named(resources.items, 'resource', ['uri', 'name'], warnings),
    resourceTemplates: named(templates.items, 'resource template', ['uriTemplate', 'name'], warnings),
    ...(instructions === undefined ? {} : { instructions }),
    ...(version === undefined ? {} : { version }),
    warnings: [...warnings, ...transformed.warnings, ...after],
  };
}

const none: Listed = { items: [], warnings: [] };

/** Records whose `fields` are all non-empty texts; prompts and resources pass through as they are. */
function named(items: unknown[], what: string, fields: string[], warnings: string[]): Record<string, unknown>[] {
  const first = fields[0] as string;
  const found = new Map<string, Record<string, unknown>>();
  for (const [index, item] of items.entries()) {
    const record = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
    const missing = fields.find((field) => typeof record[field] !== 'string' || record[field] === '');
    const id = String(record[first]);
    if (missing) warnings.push(`${what} number ${index + 1} was skipped: it has no ${missing}.`);
    else if (found.has(id)) warnings.push(`${what} "${id.slice(0, 60)}" is declared twice; the first counts.`);
    else found.set(id, record);
  }
  return [...found.values()];
}
