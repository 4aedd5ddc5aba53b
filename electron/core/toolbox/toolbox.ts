/** The unified registry over all servers: each tool with its rules, trust and statistics, found by name or by search (row B12). */

import { isDeepStrictEqual } from 'node:util';
import type { CommandInput } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import type { OwnRule, Rule, RuleView, SearchHit, Tool, ToolDefinition, ToolSummary } from '../../../shared/model.ts';
import type { Audit } from '../audit/audit.ts';
import type { Catalog, CatalogDiff } from '../catalog/catalog.ts';
import type { FoundTool } from '../execute/execute.ts';
import { compileRules, type RuleSet } from '../rules/rules.ts';
import { type SearchIndex, similarNames } from '../search/search.ts';
import type { Trust } from '../trust/trust.ts';
import { arrange } from './arrange.ts';
import { type Abilities, type Compatibility, compatibility } from './compatibility.ts';
import { heldChange } from './held.ts';
import { createIndexing } from './indexing.ts';
import { firstSentence, shortened } from './text.ts';

export interface Toolbox {
  view(tool: Tool): FoundTool;
  /** Throws TOOL_NOT_FOUND with similar names. The server must be known to the caller. */
  find(server: string, tool: string): FoundTool;
  ofServer(server: string): FoundTool[];
  /** How many tools the server has, and how many of them an agent may see while the server can be used. */
  counts(server: string): { all: number; enabled: number };
  all(): FoundTool[];
  /** What an agent may see now: enabled, accepted, its server not failed. */
  usable(): { tool: Tool; tags: string[] }[];
  byShownName(name: string): FoundTool | undefined;
  search(query: string, options: { server?: string | undefined; limit?: number | undefined }): SearchHit[];
  /** The tool that an agent would have found first, were it not switched off, held back, or its server switched off. */
  bestOff(
    query: string,
    options: { server?: string | undefined; fits?: ((tool: FoundTool) => boolean) | undefined },
  ): { tool: FoundTool; relevance: number } | undefined;
  list(filter: CommandInput<'tools.list'>): ToolSummary[];
  /** What stands between a client and a tool; throws TOOL_NOT_FOUND. */
  compatibility(server: string, tool: string, client: Abilities): Compatibility;
  /** Takes over what a discovery brought. */
  apply(diff: CatalogDiff): void;
  accept(server: string, tool: string): void;
  setRules(own: readonly OwnRule[], config: Rule[]): void;
  ruleViews(): RuleView[];
  /** What other own rules would change, as the states before and after. */
  preview(own: readonly OwnRule[]): {
    rules: RuleView[];
    changes: { server: string; tool: string; before: string; after: string }[];
  };
}

export function createToolbox(parts: {
  catalog: Catalog;
  trust: Trust;
  audit: Audit;
  index: SearchIndex;
  isServerUsable(server: string): boolean;
}): Toolbox {
  const { catalog, trust, audit, index, isServerUsable } = parts;
  let rules = orderRules([], []);
  const indexing = createIndexing(index, (tool) => rules.set.decide(tool).tags);

  function view(tool: Tool, by = rules): FoundTool {
    const { definition } = tool;
    const { decidedBy, ...decision } = by.set.decide(tool);
    const serverVersion = versionOf(tool.server);
    const held = heldChange(trust, tool, serverVersion);
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
      ...(tool.version !== undefined && { version: tool.version }),
      ...(serverVersion !== undefined && { serverVersion }),
      metadata: tool.metadata,
      ...decision,
      ...(decidedBy !== undefined && { decidedBy: by.places[decidedBy] as number }),
      ...(held && { held }),
      fingerprint: tool.fingerprint,
      isRepeatable: tool.annotations.safetyLevel !== 'dangerous' && saysRepeatable(definition),
    };
  }

  const versionOf = (server: string) => catalog.entry(server)?.discovered.version;

  const isUsable = (tool: Tool) =>
    rules.set.decide(tool).enabled && trust.heldBefore(tool) === undefined && isServerUsable(tool.server);

  function find(server: string, name: string): FoundTool {
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
          : 'No tool of this server is known yet.';
    throw fail('TOOL_NOT_FOUND', `The server "${server}" has no tool "${name}".`, { server, tool: name, hint });
  }

  function summary(found: FoundTool): ToolSummary {
    const { key, server, name, title, category, tags, enabled, isDeprecated } = found;
    return {
      ...{ key, server, name, title, category, tags, enabled, isDeprecated },
      summary: firstSentence(found.description),
      safetyLevel: found.annotations.safetyLevel,
      held: found.held !== undefined,
      findings: found.findings.length,
    };
  }

  function viewsOf(ordered: OrderedRules): RuleView[] {
    const counts = ordered.all.map(() => 0);
    for (const tool of catalog.tools()) {
      for (const [compiled, place] of ordered.places.entries()) {
        if (ordered.set.matches(compiled, tool)) counts[place] = (counts[place] ?? 0) + 1;
      }
    }
    return ordered.all.map((rule, place) => {
      const compiled = ordered.places.indexOf(place);
      const shadow = compiled < 0 ? undefined : ordered.set.shadowedBy(compiled);
      const problem = ordered.set.problems.find((entry) => entry.index === compiled)?.failure.message;
      return {
        ...rule,
        matches: counts[place] ?? 0,
        ...(shadow !== undefined && { shadowedBy: ordered.places[shadow] as number }),
        ...(problem && { problem }),
      };
    });
  }

  return {
    view,
    find,
    ofServer: (server) => catalog.toolsOf(server).map((tool) => view(tool)),
    counts(server) {
      const tools = catalog.toolsOf(server);
      const isEnabled = (tool: Tool) => rules.set.decide(tool).enabled && trust.heldBefore(tool) === undefined;
      return { all: tools.length, enabled: tools.filter(isEnabled).length };
    },
    all: () => Array.from(catalog.tools(), (tool) => view(tool)),
    usable: () =>
      Array.from(catalog.tools())
        .filter(isUsable)
        .map((tool) => ({ tool, tags: rules.set.decide(tool).tags })),
    byShownName(name) {
      const tool = catalog.byShownName(name);
      return tool && view(tool);
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
        const { tags } = rules.set.decide(tool);
        return [
          {
            server: tool.server,
            tool: tool.name,
            summary: firstSentence(tool.definition.description ?? ''),
            relevance,
            tags,
          },
        ];
      });
    },
    bestOff(query, { server, fits }) {
      const accepts = (key: string) => {
        const tool = toolByKey(catalog, key);
        if (!tool || (server && tool.server !== server) || isUsable(tool)) return false;
        return fits?.(view(tool)) ?? true;
      };
      // Nearly always nothing is off, and a search costs more than a look at each tool.
      const isAnyOff = Array.from(catalog.tools()).some((tool) => !isUsable(tool));
      const [best] = isAnyOff ? index.search(query, { limit: 1, accepts }) : [];
      const tool = best && toolByKey(catalog, best.key);
      return tool && { tool: view(tool), relevance: best.relevance };
    },
    list(filter) {
      const source = filter.server ? catalog.toolsOf(filter.server) : Array.from(catalog.tools());
      const found = source.filter((tool) => !filter.available || isUsable(tool)).map((tool) => view(tool));
      return arrange(found, filter, audit).map(summary);
    },
    compatibility(server, name, client) {
      const tool = catalog.tool(server, name);
      return tool ? compatibility(tool.definition, client) : notFound(server, name);
    },
    apply(diff) {
      indexing.remove(diff.removed);
      for (const tool of diff.removed) trust.gone(tool);
      for (const tool of diff.added) trust.see(tool, undefined, versionOf(tool.server));
      for (const { before, after } of diff.changed) trust.see(after, before.definition, versionOf(after.server));
      indexing.put([...diff.added, ...diff.changed.map(({ after }) => after)]);
    },
    accept(server, name) {
      const tool = catalog.tool(server, name);
      if (tool) trust.accept(tool, versionOf(server));
      else notFound(server, name);
    },
    setRules(own, config) {
      const next = orderRules(own, config);
      // What the rules said about each tool is remembered with them.
      if (isDeepStrictEqual(next.all, rules.all)) return;
      rules = next;
      indexing.retag(catalog.tools());
    },
    ruleViews: () => viewsOf(rules),
    preview(own) {
      const config = rules.all
        .filter((rule) => rule.origin === 'config')
        .map(({ origin: _, active: __, ...rule }) => rule);
      const next = orderRules(own, config);
      const changes = Array.from(catalog.tools()).flatMap((tool) => {
        const before = describe(rules.set, tool);
        const after = describe(next.set, tool);
        return before === after ? [] : [{ server: tool.server, tool: tool.name, before, after }];
      });
      return { rules: viewsOf(next), changes };
    },
  };
}

interface OrderedRules {
  all: (Rule & { origin: 'own' | 'config'; active: boolean })[];
  set: RuleSet;
  /** Index in `all` of each compiled rule: inactive rules are listed but not compiled. */
  places: number[];
}

/** The person's own rules come first, so that the window always has the last word. */
function orderRules(own: readonly OwnRule[], config: Rule[]): OrderedRules {
  const all: OrderedRules['all'] = [
    ...own.map((rule) => ({ ...rule, origin: 'own' as const })),
    ...config.map((rule) => ({ ...rule, origin: 'config' as const, active: true })),
  ];
  const places = all.flatMap((rule, place) => (rule.active ? [place] : []));
  const compiled = places.map((place) => {
    const { origin: _, active: __, ...rule } = all[place] as OrderedRules['all'][number];
    return rule;
  });
  return { all, places, set: compileRules(compiled) };
}

/** Only the server itself knows; what a name suggests is no promise. */
function saysRepeatable({ annotations }: ToolDefinition): boolean {
  return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
}

function describe(set: RuleSet, tool: Tool): string {
  const { enabled, confirm, tags } = set.decide(tool);
  if (!enabled) return 'off';
  return [
    'on',
    ...(confirm === 'auto' ? [] : [`confirm ${confirm}`]),
    ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : []),
  ].join(' · ');
}

function toolByKey(catalog: Catalog, key: string): Tool | undefined {
  const split = key.indexOf('::');
  return catalog.tool(key.slice(0, split), key.slice(split + 2));
}
