/**
 * Discovers what a connected server offers: lists tools, prompts, resources and templates in parallel, validates and
 * assesses them, and applies the plug-ins. `catalog` stores the result.
 */
import { fail, toFailure } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import type { Tool } from '../../../../shared/model/tool.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import { type SharedRun, shareRun, withDeadline } from '../../async/deadline.ts';
import { createSlices } from '../../async/slices.ts';
import { afterDiscovery, beforeDiscovery, transformTools } from '../../plugins/hooks.ts';
import type { DiscoveryPlugin } from '../../plugins/plugin-api.ts';
import { findPoison, findPoisonIn, type Neighbors } from '../assessment/poisoning.ts';
import type { HeldOffer } from '../held-offers.ts';
import { type DiscoverySource, type Listed, listAll } from '../list-pages.ts';
import { type Skill, skillsExtension, skillsFrom } from '../skills.ts';
import { type Icon, readIcon } from './icon.ts';
import { toolsFrom } from './read-tools.ts';
import { versionText } from './version.ts';
import { wellFormedPrompt, wellFormedResource } from './well-formed.ts';

type Json = Record<string, unknown>;

/** Everything that a server offers. */
export interface Discovered {
  tools: Tool[];
  prompts: Record<string, unknown>[];
  resources: Record<string, unknown>[];
  resourceTemplates: Record<string, unknown>[];
  /** Prompts and resources that the other lists lack, because their text may mislead agents. */
  held?: HeldOffer[];
  /** Present if the server has skills. */
  skills?: Skill[];
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
  /** True if `beforeDiscovery` of the plug-ins has already been called. */
  skipsBeforeDiscovery?: boolean;
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
  const before = options.skipsBeforeDiscovery ? [] : await beforeDiscovery(plugins, server, signal);
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
  const hasSkills = isObject(capabilities.extensions) && skillsExtension in capabilities.extensions;
  const [tools, prompts, resources, templates, skills, icon] = await Promise.all([
    offered('tools', 'tools/list', 'tools'),
    optional('prompts', 'prompts/list', 'prompts'),
    optional('resources', 'resources/list', 'resources'),
    // Many servers that have resources do not support templates.
    optional('resources', 'resources/templates/list', 'resourceTemplates', true),
    hasSkills ? optional('resources', 'skills/list', 'skills') : none,
    readIcon(serverInfo?.icons ?? [], source.server.connection, signal),
  ]);
  const answers = [tools, prompts, resources, templates, skills];
  const warnings = [...before, ...answers.flatMap((list) => list.warnings)];
  if (!['tools', 'prompts', 'resources'].some((capability) => capabilities[capability]))
    warnings.push('The server declares no tools, prompts or resources.');
  else if (capabilities.tools && tools.items.length === 0) warnings.push('The server lists no tools.');
  const valid = await toolsFrom(tools.items, server, options, warnings, signal);
  const transformed = await transformTools(plugins, server, valid, signal);
  const after = await afterDiscovery(plugins, server, transformed.tools, signal);
  const own = new Set(valid.map(({ name }) => name));
  const neighbors = { others: options.otherTools ?? new Map(), own };
  const held: HeldOffer[] = [];
  const rest = createSlices();
  async function listed(
    kind: HeldOffer['kind'],
    items: unknown[],
    what: string,
    id: string,
    repair: (item: Json) => Json,
  ): Promise<Json[]> {
    const all: string[] = [];
    const kept: Json[] = [];
    for (const item of named(items, what, [id, 'name'], all)) {
      await rest();
      signal.throwIfAborted();
      const definition = repair(item);
      const findings = poisonOf(definition, neighbors);
      if (findings.length > 0) {
        const name = JSON.stringify(definition.name).slice(0, 60);
        all.push(`Agents get the ${what} ${name} only if you accept it in the window: ${findings.join('; ')}.`);
        if (held.length < maxHeld) held.push({ kind, definition, findings });
      } else kept.push(definition);
    }
    warnings.push(...all.slice(0, maxWarnings));
    if (all.length > maxWarnings) warnings.push(`There are ${all.length - maxWarnings} more warnings like these.`);
    return kept;
  }
  const poison = ({ frontmatter }: Skill) => findPoisonIn(frontmatter.description);
  const lists = {
    prompts: await listed('prompts', prompts.items, 'prompt', 'name', wellFormedPrompt),
    resources: await listed('resources', resources.items, 'resource', 'uri', wellFormedResource),
    resourceTemplates: await listed(
      'resourceTemplates',
      templates.items,
      'resource template',
      'uriTemplate',
      wellFormedResource,
    ),
  };
  return {
    tools: transformed.tools,
    ...lists,
    ...(held.length > 0 && { held }),
    ...(hasSkills && { skills: skillsFrom(skills.items, poison, warnings) }),
    ...harmless(instructions, warnings),
    ...(version === undefined ? {} : { version }),
    ...(icon && { icon }),
    warnings: [...warnings, ...transformed.warnings, ...after],
  };
}

/** More than a user would review. */
const maxHeld = 200;
/** Maximum number of warnings about single prompts, resources or templates. */
const maxWarnings = 50;

/** Longer than the instructions that any agent receives. */
const maxInstructions = limits.server.instructionsCharacters;

/** The number of sentences that are checked one by one. */
const maxSentences = 400;

/** Leaves out the sentences that are meant to mislead the agent, or all if sentences mislead only together. */
function harmless(instructions: string | undefined, warnings: string[]): Pick<Discovered, 'instructions'> {
  if (instructions === undefined) return {};
  const text = instructions.trim().slice(0, maxInstructions);
  const findings = findPoisonIn(text);
  if (findings.length === 0) return { instructions: text };
  const sentences = text.split(/(?<=[.!?]\s|[。！？\n])/);
  const kept = sentences.length > maxSentences ? [] : sentences.filter((one) => findPoisonIn(one).length === 0);
  const rest = kept.join('').trim();
  const isHarmless = rest !== '' && findPoisonIn(rest).length === 0;
  const what = isHarmless ? `${sentences.length - kept.length} of ${sentences.length} sentences of the` : 'the';
  warnings.push(`Toolkeep does not pass ${what} server's instructions to agents: the text ${findings.join('; ')}.`);
  return isHarmless ? { instructions: rest } : {};
}

/** The findings in the text of a prompt or resource. */
function poisonOf(item: Json, neighbors: Neighbors): string[] {
  const parts = Array.isArray(item.arguments) ? item.arguments.filter(isObject) : [];
  const properties = Object.fromEntries(parts.map(({ name, description }) => [textFrom(name), { description }]));
  return findPoison({ ...item, name: String(item.name), inputSchema: { properties } }, neighbors);
}

const none: Listed = { items: [], warnings: [] };

/** The records whose `fields` are all non-empty strings. */
function named(items: unknown[], what: string, fields: string[], warnings: string[]): Record<string, unknown>[] {
  const first = fields[0] as string;
  const found = new Map<string, Record<string, unknown>>();
  for (const [index, item] of items.entries()) {
    const record = isObject(item) ? item : {};
    const missing = fields.find((field) => typeof record[field] !== 'string' || record[field] === '');
    const id = record[first];
    if (missing || typeof id !== 'string')
      warnings.push(`${what} number ${index + 1} was skipped: it has no ${missing}.`);
    else if (found.has(id)) warnings.push(`${what} "${id.slice(0, 60)}" is declared twice; the first one is used.`);
    else found.set(id, record);
  }
  return [...found.values()];
}
