/** Filters and sorts the user's list of tools. */
import { ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { type Tool, type ToolSummary, toolHintSchema } from '../../../shared/model/tool.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import type { History } from '../history/history.ts';
import { compileRule, ruleMatches, subjectsOf } from '../rules/compiled-rule.ts';

/** `tool.definition` is parsed on demand, so only a filter that needs it may read it. */
export interface ListedTool {
  tool: Tool;
  summary: ToolSummary;
}

type Filter = CommandInput<'tools.list'>;

export function arrange(tools: readonly ListedTool[], filter: Filter, history: History): ToolSummary[] {
  const { sortBy = 'name', sortDirection } = filter;
  const kept = tools.filter(accepts(filter)).map(({ summary }) => withFigures(summary, sortBy, history));
  kept.sort(comparison(sortBy, sortDirection === 'desc' ? -1 : 1));
  const { offset = 0, limit = kept.length } = filter;
  return kept.slice(offset, offset + limit);
}

function accepts(filter: Filter): (listed: ListedTool) => boolean {
  const servers = filter.servers && new Set(filter.servers);
  const wanted = toolHintSchema.options.filter((hint) => filter[hint] !== undefined);
  const hasText = acceptsText(filter);
  return ({ tool, summary }) =>
    (filter.includeDisabled !== false || summary.enabled) &&
    (!servers || servers.has(tool.server)) &&
    (!filter.category || tool.category === filter.category) &&
    (!filter.safetyLevel || tool.annotations.safetyLevel === filter.safetyLevel) &&
    wanted.every((hint) => summary.hints.includes(hint) === filter[hint]) &&
    (!filter.tag || summary.tags.includes(filter.tag)) &&
    hasText(tool, summary);
}

function acceptsText(filter: Filter): (tool: Tool, summary: ToolSummary) => boolean {
  if (!filter.text && !filter.name && !filter.description) return () => true;
  const text = filter.text?.toLowerCase() ?? '';
  const isNamed = acceptsName(filter.name ?? '');
  const words = filter.description?.toLowerCase().split(/\s+/) ?? [];
  return (tool, summary) => {
    const title = `${tool.name} ${summary.title}`.toLowerCase();
    const description = (tool.definition.description ?? '').toLowerCase();
    return (
      isNamed(tool, title) &&
      words.every((word) => description.includes(word)) &&
      `${tool.server.toLowerCase()} ${title} ${description}`.includes(text)
    );
  };
}

/** A pattern, as in rules, is for the name; any other text is a part of the name or title. `title`: in lower case. */
function acceptsName(text: string): (tool: Tool, title: string) => boolean {
  const part = text.toLowerCase();
  if (!/^[/!]|[*?[\]{}]/.test(text)) return (_tool, title) => title.includes(part);
  try {
    const rule = compileRule({ pattern: [text] }, 0);
    return (tool) => ruleMatches(rule, subjectsOf(tool), tool);
  } catch (error) {
    throw new ToolkeepError({ ...toFailure(error), code: 'INPUT_INVALID' });
  }
}

type Order = NonNullable<Filter['sortBy']>;

function withFigures(summary: ToolSummary, sortBy: Order, history: History): ToolSummary {
  return sortBy === 'name' ? summary : { ...summary, calls: history.toolStatistics(summary.server, summary.name) };
}

/** Equal tools are sorted by name, whatever the sort direction. */
function comparison(sortBy: Order, direction: 1 | -1): (a: ToolSummary, b: ToolSummary) => number {
  const byName = (a: ToolSummary, b: ToolSummary) => compare(a.server, b.server) || compare(a.name, b.name);
  if (sortBy === 'name') return (a, b) => direction * (compare(a.name, b.name) || compare(a.server, b.server));
  const figure = ({ calls: { total, failed, averageMs } = noCalls }: ToolSummary): number => {
    switch (sortBy) {
      case 'callCount':
        return total;
      case 'successRate':
        return total === 0 ? 0 : (total - failed) / total;
      case 'averageTime':
        return averageMs;
    }
  };
  return (a, b) => direction * (figure(a) - figure(b)) || byName(a, b);
}

const noCalls = { total: 0, failed: 0, averageMs: 0 };
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
