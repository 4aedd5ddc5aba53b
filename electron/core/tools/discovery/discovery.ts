/**
 * Discovers what a connected server offers: lists tools, prompts, resources and templates in parallel, validates and
 * assesses them, and applies the plug-ins. `catalog` stores the result.
 */
import { fail, toFailure } from '../../../../shared/failure.ts';
import type { Tool } from '../../../../shared/model/tool.ts';
import { type SharedRun, shareRun, withDeadline } from '../../async/deadline.ts';
import { afterDiscovery, beforeDiscovery, transformTools } from '../../plugins/hooks.ts';
import type { DiscoveryPlugin } from '../../plugins/plugin-api.ts';
import { findPoisonInInstructions } from '../assessment/poisoning.ts';
import { type DiscoverySource, type Listed, listAll } from '../list-pages.ts';
import { type Icon, readIcon } from './icon.ts';
import { toolsFrom } from './read-tools.ts';
import { versionText } from './version.ts';
import { wellFormedPrompt, wellFormedResource } from './well-formed.ts';

/** Everything that a server offers. */
export interface Discovered {
  tools: Tool[];
  prompts: Record<string, unknown>[];
  resources: Record<string, unknown>[];
  resourceTemplates: Record<string, unknown>[];
  instructions?: string;
  /** As the server reports it. */
  version?: string;
  icon?: Icon;
  /** Skipped and unusual parts. */
  warnings: string[];
}

export interface DiscoverOptions {
  slug: string;
  plugins: DiscoveryPlugin[];
  signal?: AbortSignal;
  /** For the whole discovery: server start, all pages, all plug-ins. */
  timeoutMs: number;
  /** Tool names of the other servers (name → server), used to find descriptions that interfere with them. */
  otherTools?: ReadonlyMap<string, string>;
}

/** Running discoveries, so that a server is never discovered twice at the same time. */
const running = new WeakMap<DiscoverySource, SharedRun<Discovered>>();

/**
 * Discovers a server, starting it if necessary. While a discovery is running, later callers share its result, whatever
 * their options. Rejects with SERVER_TIMEOUT after `timeoutMs`, with CANCELLED through `signal`, or with the server's
 * failure. If a list other than the tools fails, reports only a warning.
 */
export function discover(handle: DiscoverySource, options: DiscoverOptions): Promise<Discovered> {
  let run = running.get(handle);
  if (!run) {
    run = shareRun(
      (signal) => discoverOnce(handle, options, signal),
      () => running.delete(handle),
    );
    running.set(handle, run);
  }
  return run.join(options.signal);
}

/** The tools that a configuration declares for a server, assessed like those that a server lists. */
export async function assessDeclared(
  server: string,
  declared: readonly { name: string }[],
  slug: string,
): Promise<Discovered> {
  const warnings: string[] = [];
  const definitions = declared.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
  const tools = await toolsFrom(definitions, server, { slug }, warnings, new AbortController().signal);
  const marked = tools.map((tool) => ({ ...tool, metadata: { ...tool.metadata, isDeclared: true } }));
  return { tools: marked, prompts: [], resources: [], resourceTemplates: [], warnings };
}

function discoverOnce(source: DiscoverySource, options: DiscoverOptions, signal: AbortSignal): Promise<Discovered> {
  const server = source.server.name;
  const tooLate = () =>
    fail('SERVER_TIMEOUT', `Discovery of "${server}" took longer than ${options.timeoutMs} ms.`, {
      server,
      hint: 'Set `lifecycle.discoveryTimeout` in the config file if the server needs more time.',
    });
  return withDeadline(options.timeoutMs, signal, tooLate, (inner) => gather(source, options, inner));
}

async function gather(source: DiscoverySource, options: DiscoverOptions, signal: AbortSignal): Promise<Discovered> {
  const server = source.server.name;
  // A plug-in's hooks do not apply to its own tools.
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
  const [tools, prompts, resources, templates, icon] = await Promise.all([
    offered('tools', 'tools/list', 'tools'),
    optional('prompts', 'prompts/list', 'prompts'),
    optional('resources', 'resources/list', 'resources'),
    // Many servers that have resources do not support templates.
    optional('resources', 'resources/templates/list', 'resourceTemplates', true),
    readIcon(serverInfo?.icons ?? [], source.server.connection, signal),
  ]);
  const lists = [tools, prompts, resources, templates];
  const warnings = [...before, ...lists.flatMap((list) => list.warnings)];
  if (!['tools', 'prompts', 'resources'].some((capability) => capabilities[capability]))
    warnings.push('The server declares no tools, prompts or resources.');
  const valid = await toolsFrom(tools.items, server, options, warnings, signal);
  const transformed = await transformTools(plugins, server, valid, signal);
  const after = await afterDiscovery(plugins, server, transformed.tools, signal);
  return {
    tools: transformed.tools,
    prompts: named(prompts.items, 'prompt', ['name'], warnings).map(wellFormedPrompt),
    resources: named(resources.items, 'resource', ['uri', 'name'], warnings).map(wellFormedResource),
    resourceTemplates: named(templates.items, 'resource template', ['uriTemplate', 'name'], warnings).map(
      wellFormedResource,
    ),
    ...harmless(instructions, warnings),
    ...(version === undefined ? {} : { version }),
    ...(icon && { icon }),
    warnings: [...warnings, ...transformed.warnings, ...after],
  };
}

/** Longer than the instructions that any agent receives. */
const maxInstructions = 40_000;

/** Leaves out instructions that are meant to mislead the agent. */
function harmless(instructions: string | undefined, warnings: string[]): Pick<Discovered, 'instructions'> {
  if (instructions === undefined) return {};
  const text = instructions.trim().slice(0, maxInstructions);
  const findings = findPoisonInInstructions(text);
  if (findings.length === 0) return { instructions: text };
  warnings.push(`Toolkeep does not pass the server's instructions to agents: the text ${findings.join('; ')}.`);
  return {};
}

const none: Listed = { items: [], warnings: [] };

/** The records whose `fields` are all non-empty strings. */
function named(items: unknown[], what: string, fields: string[], warnings: string[]): Record<string, unknown>[] {
  const first = fields[0] as string;
  const found = new Map<string, Record<string, unknown>>();
  for (const [index, item] of items.entries()) {
    const record = typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {};
    const missing = fields.find((field) => typeof record[field] !== 'string' || record[field] === '');
    const id = record[first];
    if (missing || typeof id !== 'string')
      warnings.push(`${what} number ${index + 1} was skipped: it has no ${missing}.`);
    else if (found.has(id)) warnings.push(`${what} "${id.slice(0, 60)}" is declared twice; the first one is used.`);
    else found.set(id, record);
  }
  return [...found.values()];
}
