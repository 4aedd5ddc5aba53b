/**
 * The tools of all servers, with the results of rules, overrides and pins for each. Finds tools by name or by search.
 */
import { isDeepStrictEqual } from 'node:util';
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { Override, OwnRule, RuleView } from '../../../shared/model/rule.ts';
import type { ApprovalsAsk, Tool, ToolSummary } from '../../../shared/model/tool.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { hiddenByPlugins } from '../../../shared/server-facts.ts';
import { parseToolKey } from '../../../shared/tool-key.ts';
import type { History } from '../history/history.ts';
import type { SearchIndex } from '../search/search.ts';
import type { CatalogDiff, RegisteredTool } from '../types.ts';
import { appUseOf } from './apps.ts';
import type { Catalog } from './catalog/catalog.ts';
import { type Abilities, type Compatibility, compatibility } from './compatibility.ts';
import { arrange, type ListedTool } from './filters.ts';
import { createIndexing } from './indexing.ts';
import type { Pins } from './pins.ts';
import {
  type ConfigRule,
  orderRules,
  previewRules,
  type Restriction,
  type RuleOrder,
  ruleViews,
} from './rule-order.ts';
import { explanation, registeredTool, searchHit, type ToolHit, toolSummary } from './tool-views.ts';
import { hintForTool } from './unknown-tool.ts';

/** A tool with the tags that the rules give it, without its definition. */
export type TaggedTool = Omit<Tool, 'definition' | 'head'> & { tags: string[] };

export type KnownTools = ReturnType<typeof createKnownTools>;

interface PinOptions {
  catalog: Catalog;
  pins: Pins;
  /** Whether a tool that a known server adds later is held until the user accepts it. */
  holdsNewTools?(): boolean;
  /** Whether the server was updated since the user installed it, so that its configuration has changed, too. */
  isUpdated?(server: string): boolean;
}

interface KnownToolsOptions extends PinOptions {
  history: History;
  index: SearchIndex;
  isServerEnabled(server: string): boolean;
  isServerUsable(server: string): boolean;
  /** Which tools need approval, by their safety level. */
  approvalsAsk(): ApprovalsAsk;
}

export function createKnownTools(parts: KnownToolsOptions) {
  const { catalog, pins, history, index, isServerUsable } = parts;
  let rules = orderRules([], [], [], []);
  const inputsOf = ({ all, overrides, restrictions }: typeof rules) => [all, overrides, restrictions];
  const indexing = createIndexing(index, (tool) => rules.decide(tool).tags);

  const view = (tool: Tool): RegisteredTool =>
    registeredTool(tool, {
      ...{ decision: rules.decide(tool), ask: parts.approvalsAsk(), pins },
      serverVersion: versionIn(catalog, tool.server),
    });

  const tagged = (tool: Tool): TaggedTool => ({ ...tool, tags: rules.decide(tool).tags });

  const isAccepted = (tool: Tool) => pins.heldReason(tool) === undefined;
  const isEnabled = (tool: Tool) => rules.decide(tool).enabled && isAccepted(tool);
  const isUsable = (tool: Tool) => isEnabled(tool) && isServerUsable(tool.server);

  function find(server: string, name: string, mayName: (tool: Tool) => boolean = () => true): Tool {
    const tool = catalog.tool(server, name);
    if (tool) return tool;
    const named = catalog.toolsOf(server).filter((other) => isAccepted(other) && mayName(other));
    throw toolNotFound(catalog, named, server, name);
  }

  /** The views of tools that were called. */
  let called = new WeakMap<Tool, RegisteredTool>();

  function calledView(tool: Tool): RegisteredTool {
    const known = called.get(tool) ?? view(tool);
    called.set(tool, known);
    return known;
  }

  return {
    view,
    /**
     * Throws TOOL_NOT_FOUND with similar names, of tools that `mayName` accepts. The caller must have checked that the server
     * exists.
     */
    find: (server: string, name: string, mayName?: (tool: Pick<Tool, 'server' | 'name'>) => boolean): RegisteredTool =>
      calledView(find(server, name, mayName)),
    ofServer: (server: string): RegisteredTool[] => catalog.toolsOf(server).map((tool) => view(tool)),
    /**
     * The number of the server's tools, and of those that an agent can see while the server is available. `fits` limits both.
     * Parses no definition.
     */
    counts(server: string, fits?: (tool: TaggedTool) => boolean): { all: number; enabled: number } {
      const known = catalog.toolsOf(server);
      const tools = fits ? known.filter((tool) => fits(tagged(tool))) : known;
      return { all: tools.length, enabled: tools.filter(isEnabled).length };
    },
    /** Whether the server has a tool that `counts` would count as enabled. */
    hasEnabled: (server: string, fits?: (tool: TaggedTool) => boolean): boolean =>
      catalog.toolsOf(server).some((tool) => isEnabled(tool) && (fits?.(tagged(tool)) ?? true)),
    /** The number of all tools, and of those that are enabled and not held, on servers that are enabled. */
    size(): { all: number; enabled: number } {
      const tools = Array.from(catalog.tools());
      const enabled = tools.filter((tool) => isEnabled(tool) && parts.isServerEnabled(tool.server));
      return { all: tools.length, enabled: enabled.length };
    },
    /** The tools that wait for the user to accept them, of one server or of all. */
    held: (server?: string): RegisteredTool[] =>
      Array.from(server === undefined ? catalog.tools() : catalog.toolsOf(server))
        .filter((tool) => !isAccepted(tool))
        .map((tool) => view(tool)),
    /** The tools that are enabled and not held, without their definitions. */
    enabled: (): Pick<Tool, 'server' | 'name'>[] => Array.from(catalog.tools()).filter(isEnabled),
    /** The tools that agents can see now: enabled, not held, and on a server that has not failed. `fits` limits them. */
    usable: (fits: (tool: Tool) => boolean = () => true): { tool: Tool; tags: string[] }[] =>
      Array.from(catalog.tools())
        .filter((tool) => fits(tool) && isUsable(tool))
        .map((tool) => ({ tool, tags: rules.decide(tool).tags })),
    /** Each hit carries the tool's schema. */
    async search(query: string, { server, limit = 10 }: { server?: string; limit?: number }): Promise<ToolHit[]> {
      const tools = new Map<string, Tool>();
      const accepts = (key: string) => {
        const tool = toolByKey(catalog, key);
        if (!tool || (server && tool.server !== server) || !isUsable(tool) || appUseOf(tool) === 'only') return false;
        tools.set(key, tool);
        return true;
      };
      const found = await indexing.search(query, { limit, accepts });
      return found.flatMap(({ key, relevance }) => {
        const tool = tools.get(key);
        return tool ? searchHit(tool, rules.decide(tool).tags, relevance) : [];
      });
    },
    /**
     * The best hit among tools that agents cannot use: disabled, held, or on a server that is disabled or has failed. Leaves out
     * held tools with findings, because their text could match every query, and each match asks the user.
     */
    bestUnavailable(
      query: string,
      { server, fits }: { server?: string; fits?: (tool: TaggedTool) => boolean },
    ): { tool: RegisteredTool; relevance: number } | undefined {
      const accepts = (key: string) => {
        const tool = toolByKey(catalog, key);
        if (!tool || (server && tool.server !== server) || isUsable(tool) || appUseOf(tool) === 'only') return false;
        if (!isAccepted(tool) && tool.findings.length > 0) return false;
        return fits?.(tagged(tool)) ?? true;
      };
      // Usually, every tool is available, and searching costs more than checking them all.
      const isAnyUnavailable = Array.from(catalog.tools()).some((tool) => !isUsable(tool));
      const [best] = isAnyUnavailable ? index.search(query, { limit: 1, accepts }) : [];
      const tool = best && toolByKey(catalog, best.key);
      return tool && { tool: view(tool), relevance: best.relevance };
    },
    list(filter: CommandInput<'tools.list'>): ToolSummary[] {
      const source = filter.server ? catalog.toolsOf(filter.server) : Array.from(catalog.tools());
      const found = source.flatMap((tool): ListedTool[] => {
        const decision = rules.decide(tool);
        const isHeld = !isAccepted(tool);
        if (filter.available && (!decision.enabled || isHeld || !isServerUsable(tool.server))) return [];
        const summary = toolSummary(tool, decision, { held: isHeld, ask: parts.approvalsAsk() });
        return [{ tool, summary: filter.explain ? { ...summary, explained: explanation(tool, pins) } : summary }];
      });
      return arrange(found, filter, history);
    },
    /** How well a client can use a tool; throws TOOL_NOT_FOUND. */
    compatibility: (server: string, name: string, client: Abilities): Compatibility =>
      compatibility(find(server, name).definition, client),
    /** Applies the differences that a discovery found. */
    apply(diff: CatalogDiff): void {
      indexing.remove(diff.removed);
      pinDiscovery(diff, parts);
      indexing.put([...diff.added, ...diff.changed.map(({ after }) => after)]);
    },
    /** Accepts a held tool. Fails if its definition is no longer the one with this fingerprint, which the user saw. */
    accept: (server: string, name: string, fingerprint?: string): void =>
      pins.accept(find(server, name), versionIn(catalog, server), fingerprint),
    setRules(
      own: readonly OwnRule[],
      config: readonly ConfigRule[],
      overrides: readonly Override[],
      restrictions: readonly Restriction[] = [],
    ): void {
      const next = orderRules(own, config, overrides, restrictions);
      // Unchanged rules keep their cache.
      if (isDeepStrictEqual(inputsOf(next), inputsOf(rules))) return;
      rules = next;
      indexing.retag(catalog.tools());
    },
    rules: (): Pick<RuleOrder, 'decide' | 'byClient'> => rules,
    /** Forgets what is kept for calls, because rules, pins or the catalog have changed. */
    stateChanged(): void {
      called = new WeakMap();
    },
    ruleViews: (): RuleView[] => ruleViews(rules, catalog.tools()),
    /** The result of replacing the user's own rules: the rules, and the tools with their decision before and after. */
    preview: (own: readonly OwnRule[]) => previewRules(rules, own, Array.from(catalog.tools())),
  };
}

/** Pins the discovered tools. For those that changed or are gone, keeps the definition that the user accepted. */
function pinDiscovery(diff: CatalogDiff, { catalog, pins, holdsNewTools, isUpdated }: PinOptions): void {
  for (const tool of diff.removed) pins.recordRemoval(tool);
  const mayHold = !diff.isProvided && (holdsNewTools?.() ?? true);
  const holdsNew = (server: string) => mayHold && (!diff.isReconfigured || isUpdated?.(server) === true);
  const known = new Set(diff.added.map(({ server }) => server).filter((server) => pins.hasServer(server)));
  // The user accepts the definition that the server sends, not the one that the configuration declares.
  for (const tool of diff.added.filter(({ metadata }) => !metadata.isDeclared))
    pins.record(tool, {
      version: versionIn(catalog, tool.server),
      holdIfNew: known.has(tool.server) && holdsNew(tool.server),
    });
  for (const { before, after } of diff.changed.filter(({ after }) => !after.metadata.isDeclared))
    pins.record(after, { previous: before.definition, version: versionIn(catalog, after.server) });
}

const versionIn = (catalog: Catalog, server: string) => catalog.entry(server)?.discovered.version;

/** `accepted`: the tools whose names an agent may read. */
function toolNotFound(catalog: Catalog, accepted: readonly Tool[], server: string, name: string): ToolkeepError {
  const names = accepted.map((known) => known.name);
  const hidden = hiddenByPlugins(server, catalog.entry(server)?.discovered.warnings ?? []);
  const none = hidden ?? 'None of its tools are known yet.';
  const hint = hintForTool(name, names) ?? none;
  return fail('TOOL_NOT_FOUND', `The server "${server}" has no tool "${name}".`, { server, tool: name, hint });
}

function toolByKey(catalog: Catalog, key: string): Tool | undefined {
  const { server, tool } = parseToolKey(key);
  return catalog.tool(server, tool);
}
