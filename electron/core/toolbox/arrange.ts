/** The person's filters and sorts on the list of tools (rows B7, B8). */
import type { CommandInput } from '../../../shared/contract.ts';
import type { Audit } from '../audit/audit.ts';
import type { FoundTool } from './toolbox.ts';

type Filter = CommandInput<'tools.list'>;

export function arrange(tools: FoundTool[], filter: Filter, audit: Audit): FoundTool[] {
  const text = filter.text?.toLowerCase();
  const fits = (tool: FoundTool) =>
    (filter.includeDisabled !== false || tool.enabled) &&
    (!filter.category || tool.category === filter.category) &&
    (!filter.safetyLevel || tool.annotations.safetyLevel === filter.safetyLevel) &&
    (filter.readOnly === undefined || tool.annotations.readOnlyHint === filter.readOnly) &&
    (!filter.tag || tool.tags.includes(filter.tag)) &&
    (!text || `${tool.server} ${tool.name} ${tool.title} ${tool.description}`.toLowerCase().includes(text));
  const kept = tools.filter(fits);
  kept.sort(comparison(filter.sortBy ?? 'name', audit));
  if (filter.sortDirection === 'desc') kept.reverse();
  return filter.limit ? kept.slice(0, filter.limit) : kept;
}

function comparison(sortBy: NonNullable<Filter['sortBy']>, audit: Audit): (a: FoundTool, b: FoundTool) => number {
  const byName = (a: FoundTool, b: FoundTool) => compare(a.server, b.server) || compare(a.name, b.name);
  if (sortBy === 'name') return byName;
  const figure = (tool: FoundTool): number => {
    const { total, failed, averageMs } = audit.ofTool(tool.server, tool.name);
    switch (sortBy) {
      case 'callCount':
        return total;
      case 'successRate':
        return total === 0 ? 0 : (total - failed) / total;
      case 'averageTime':
        return averageMs;
    }
  };
  return (a, b) => figure(a) - figure(b) || byName(a, b);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
