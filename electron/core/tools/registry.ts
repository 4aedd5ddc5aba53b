/** The tools of all servers, each with what rules, overrides and pins say about it, found by name or by search. */
import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../shared/failure.ts';
import type { Override, OwnRule, Rule, RuleView } from '../../../shared/model/rule.ts';
import type { JsonSchema, SearchHit, Tool, ToolDefinition, ToolSummary } from '../../../shared/model/tool.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import type { History } from '../history/history.ts';
import type { SearchIndex } from '../search/search.ts';
import { similarNames } from '../search/similar-names.ts';
import type { CatalogDiff, RegisteredTool } from '../types.ts';
import type { Catalog } from './catalog/catalog.ts';
import { type Abilities, type Compatibility, compatibility, isTaskOnly } from './compatibility.ts';
import { arrange } from './filters.ts';
import { heldState } from './held.ts';
import { createIndexing } from './indexing.ts';
import type { Pins } from './pins.ts';
import { decisionText, orderRules, ruleViews } from './rule-order.ts';
import { firstSentence, shortened } from './truncate.ts';

export interface ToolRegistry {
  view(tool: Tool): RegisteredTool;
  /** Throws TOOL_NOT_FOUND with similar names. The server must be known to the caller. */
  find(server: string, tool: string): RegisteredTool;
  ofServer(server: string): RegisteredTool[];
  /** The number of the server's tools, and of those that an agent can see while the server is available. */
  counts(server: string): { all: number; enabled: number };
  all(): RegisteredTool[];
  /** The tools that agents can see now: enabled, not held, on a server that has not failed. */
  usable(): { tool: Tool; tags: string[] }[];
  /** The tags that the rules give the tool; undefined if the server has no such tool. */
  tagsOf(server: string, tool: string): readonly string[] | undefined;
  /** Each hit carries the tool's schema. */
  search(query: string, options: { server?: string; limit?: number }): (SearchHit & { inputSchema: JsonSchema })[];
  /** The best hit among tools that agents cannot use: disabled or held, or of a disabled server. */
  bestUnavailable(
    query: string,
    options: { server?: string; fits?: (tool: RegisteredTool) => boolean },
  ): { tool: RegisteredTool; relevance: number } | undefined;
  list(filter: CommandInput<'tools.list'>): ToolSummary[];
  /** How well a client can use a tool; throws TOOL_NOT_FOUND. */
  compatibility(server: string, tool: string, client: Abilities): Compatibility;
  /** Applies the differences that a discovery found. */
  apply(diff: CatalogDiff): void;
  /** Accepts a held tool as it is now. */
  accept(server: string, tool: string): void;
  /** `folder`: the rules of a trusted folder, which can only restrict. */
  setRules(own: readonly OwnRule[], config: Rule[], overrides: readonly Override[], folder?: Rule[]): void;
  ruleViews(): RuleView[];
  /** The result of replacing the user's own rules: the rules, and the tools with their decision before and after. */
  preview(own: readonly OwnRule[]): {
    rules: RuleView[];
    changes: { server: string; tool: string; before: string; after: string }[];
  };
}

export function createToolRegistry(parts: {
  catalog: Catalog;
  pins: Pins;
  history: History;
  index: SearchIndex;
  isServerUsable(server: string): boolean;
  /** Whether a tool that a known server adds later is held until the user accepts it. */
  holdsNewTools?(): boolean;
}): ToolRegistry {
  const { catalog, pins, history, index, isServerUsable } = parts;
  let rules = orderRules([], [], [], []);
  const inputsOf = ({ all, overrides, folder }: typeof rules) => [all, overrides, folder];
  const indexing = createIndexing(index, (tool) => rules.decide(tool).tags);

  function view(tool: Tool): RegisteredTool {
    const { definition } = tool;
    const serverVersion = versionOf(tool.server);
    return {
      key: tool.key,
      server: tool.server,
      name: tool.name,
      shownName: tool.shownName,
      title: definition.title ?? tool.name,
      description: definition.description ?? '',
      inputSchema: definition.inputSchema,
      ...(definition.outputSchema && { outputSchema: definition.outputSchema }),
      annotations: tool.annotations,
      category: tool.category,
      complexity: tool.complexity,
      requiresAuth: tool.requiresAuth,
      isDeprecated: tool.isDeprecated,
      findings: tool.findings,
      version: tool.version,
      serverVersion,
      metadata: tool.metadata,
      ...rules.decide(tool),
      held: heldState(pins, tool, serverVersion),
      fingerprint: tool.fingerprint,
      isRepeatable: tool.annotations.safetyLevel !== 'dangerous' && declaresRepeatable(definition),
      isTaskOnly: isTaskOnly(definition),
    };
  }

  const versionOf = (server: string) => catalog.entry(server)?.discovered.version;

  const isEnabled = (tool: Tool) => rules.decide(tool).enabled && pins.heldReason(tool) === undefined;
  const isUsable = (tool: Tool) => isEnabled(tool) && isServerUsable(tool.server);

  function find(server: string, name: string): RegisteredTool {
    const tool = catalog.tool(server, name);
    return tool ? view(tool) : notFound(server, name);
  }

  function notFound(server: string, name: string): never {
    const names = catalog.toolsOf(server).map((known) => known.name);
    const similar = similarNames(name, names, 3);
    const hint =
      similar.length > 0
        ? `Did you mean ${similar.map((known) => `"${known}"`).join(' or ')}?`
        : names.length > 0
          ? `It has: ${shortened(names, 12)}.`
          : 'None of its tools are known yet.';
    throw fail('TOOL_NOT_FOUND', `The server "${server}" has no tool "${name}".`, { server, tool: name, hint });
  }

  function summary(found: RegisteredTool): ToolSummary {
    return {
      key: found.key,
      server: found.server,
      name: found.name,
      title: found.title,
      category: found.category,
      tags: found.tags,
      enabled: found.enabled,
      isDeprecated: found.isDeprecated,
      summary: firstSentence(found.description),
      safetyLevel: found.annotations.safetyLevel,
      held: found.held !== undefined,
      findings: found.findings.length,
    };
  }

  return {
    view,
    find,
    ofServer: (server) => catalog.toolsOf(server).map((tool) => view(tool)),
    counts(server) {
      const tools = catalog.toolsOf(server);
      return { all: tools.length, enabled: tools.filter(isEnabled).length };
    },
    all: () => Array.from(catalog.tools(), (tool) => view(tool)),
    usable: () =>
      Array.from(catalog.tools())
        .filter(isUsable)
        .map((tool) => ({ tool, tags: rules.decide(tool).tags })),
    tagsOf(server, name) {
      const tool = catalog.tool(server, name);
      return tool && rules.decide(tool).tags;
    },
    search(query, { server, limit = 10 }) {
      const tools = new Map<string, Tool>();
      const accepts = (key: string) => {
        const tool = toolByKey(catalog, key);
        if (!tool || (server && tool.server !== server) || !isUsable(tool)) return false;
        tools.set(key, tool);
        return true;
      };
      return indexing.search(query, { limit, accepts }).flatMap(({ key, relevance }) => {
        const tool = tools.get(key);
        if (!tool) return [];
        const { tags } = rules.decide(tool);
        return [
          {
            server: tool.server,
            tool: tool.name,
            summary: firstSentence(tool.definition.description ?? ''),
            relevance,
            tags,
            inputSchema: tool.definition.inputSchema,
          },
        ];
      });
    },
    bestUnavailable(query, { server, fits }) {
      const accepts = (key: string) => {
        const tool = toolByKey(catalog, key);
        if (!tool || (server && tool.server !== server) || isUsable(tool)) return false;
        return fits?.(view(tool)) ?? true;
      };
      // Usually every tool is available, and a search costs more than checking them all.
      const isAnyUnavailable = Array.from(catalog.tools()).some((tool) => !isUsable(tool));
      const [best] = isAnyUnavailable ? index.search(query, { limit: 1, accepts }) : [];
      const tool = best && toolByKey(catalog, best.key);
      return tool && { tool: view(tool), relevance: best.relevance };
    },
    list(filter) {
      const source = filter.server ? catalog.toolsOf(filter.server) : Array.from(catalog.tools());
      const found = source.filter((tool) => !filter.available || isUsable(tool)).map((tool) => view(tool));
      return arrange(found, filter, history).map(summary);
    },
    compatibility(server, name, client) {
      const tool = catalog.tool(server, name);
      return tool ? compatibility(tool.definition, client) : notFound(server, name);
    },
    apply(diff) {
      indexing.remove(diff.removed);
      for (const tool of diff.removed) pins.recordRemoval(tool);
      const holdsNew = !diff.isReconfigured && (parts.holdsNewTools?.() ?? true);
      const known = new Set(diff.added.map(({ server }) => server).filter((server) => pins.hasServer(server)));
      for (const tool of diff.added)
        pins.record(tool, { version: versionOf(tool.server), holdIfNew: holdsNew && known.has(tool.server) });
      for (const { before, after } of diff.changed)
        pins.record(after, { previous: before.definition, version: versionOf(after.server) });
      indexing.put([...diff.added, ...diff.changed.map(({ after }) => after)]);
    },
    accept(server, name) {
      const tool = catalog.tool(server, name);
      if (tool) pins.accept(tool, versionOf(server));
      else notFound(server, name);
    },
    setRules(own, config, overrides, folder = []) {
      const next = orderRules(own, config, overrides, folder);
      // Unchanged rules keep what they have cached.
      if (isDeepStrictEqual(inputsOf(next), inputsOf(rules))) return;
      rules = next;
      indexing.retag(catalog.tools());
    },
    ruleViews: () => ruleViews(rules, catalog.tools()),
    preview(own) {
      const config = rules.all
        .filter((rule) => rule.origin === 'config')
        .map(({ origin: _, active: __, ...rule }) => rule);
      const next = orderRules(own, config, rules.overrides, rules.folder);
      const changes = Array.from(catalog.tools()).flatMap((tool) => {
        const before = decisionText(rules.decide(tool));
        const after = decisionText(next.decide(tool));
        return before === after ? [] : [{ server: tool.server, tool: tool.name, before, after }];
      });
      return { rules: ruleViews(next, catalog.tools()), changes };
    },
  };
}

/** Only the server knows this; a name promises nothing. */
function declaresRepeatable({ annotations }: ToolDefinition): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

function toolByKey(catalog: Catalog, key: string): Tool | undefined {
  const split = key.indexOf('::');
  return catalog.tool(key.slice(0, split), key.slice(split + 2));
}
