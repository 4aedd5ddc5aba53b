/** Filters and sorts the user's list of tools. */
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import type { History } from '../history/history.ts';
import type { RegisteredTool } from '../types.ts';

type Filter = CommandInput<'tools.list'>;

const hints = {
  readOnly: 'readOnlyHint',
  destructive: 'destructiveHint',
  idempotent: 'idempotentHint',
  openWorld: 'openWorldHint',
  requiresConfirmation: 'requiresConfirmation',
} as const;

export function arrange(tools: RegisteredTool[], filter: Filter, history: History): RegisteredTool[] {
  const kept = tools.filter(accepts(filter));
  const compared = comparison(filter.sortBy ?? 'name', filter.sortDirection === 'desc' ? -1 : 1, history);
  kept.sort(compared);
  return filter.limit ? kept.slice(0, filter.limit) : kept;
}

function accepts(filter: Filter): (tool: RegisteredTool) => boolean {
  const servers = filter.servers && new Set(filter.servers);
  const text = filter.text?.toLowerCase() ?? '';
  const name = filter.name?.toLowerCase() ?? '';
  const words = filter.description?.toLowerCase().split(/\s+/) ?? [];
  const wanted = (Object.keys(hints) as (keyof typeof hints)[]).filter((hint) => filter[hint] !== undefined);
  return (tool) => {
    const title = `${tool.name} ${tool.title}`.toLowerCase();
    const description = tool.description.toLowerCase();
    return (
      (filter.includeDisabled !== false || tool.enabled) &&
      (!servers || servers.has(tool.server)) &&
      (!filter.category || tool.category === filter.category) &&
      (!filter.safetyLevel || tool.annotations.safetyLevel === filter.safetyLevel) &&
      wanted.every((hint) => tool.annotations[hints[hint]] === filter[hint]) &&
      (!filter.tag || tool.tags.includes(filter.tag)) &&
      title.includes(name) &&
      words.every((word) => description.includes(word)) &&
      `${tool.server.toLowerCase()} ${title} ${description}`.includes(text)
    );
  };
}

/** Equal tools are sorted by name in either direction. */
function comparison(
  sortBy: NonNullable<Filter['sortBy']>,
  direction: 1 | -1,
  history: History,
): (a: RegisteredTool, b: RegisteredTool) => number {
  const byName = (a: RegisteredTool, b: RegisteredTool) => compare(a.server, b.server) || compare(a.name, b.name);
  if (sortBy === 'name') return (a, b) => direction * (compare(a.name, b.name) || compare(a.server, b.server));
  const figure = (tool: RegisteredTool): number => {
    const { total, failed, averageMs } = history.toolStatistics(tool.server, tool.name);
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

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
