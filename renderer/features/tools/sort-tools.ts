/** Sorts the tool list. */
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { byName } from '../../components/format.ts';
import type { ToolSort, ToolUsage } from '../../stores/tools.ts';

export type Figure = Exclude<ToolSort, 'server' | 'name'>;

export const isFigure = (sort: ToolSort): sort is Figure => sort !== 'server' && sort !== 'name';

/** A figure of a tool. Without calls, it has no failures and no time. */
export function figureOf(tool: ToolSummary, figure: Figure, usage: ToolUsage): number | undefined {
  const calls = usage.get(tool.key);
  switch (figure) {
    case 'calls':
      return calls?.total ?? 0;
    case 'failed':
      return calls?.failed;
    case 'time':
      return calls?.averageMs;
    case 'tokens':
      return tool.tokens;
  }
}

/** `tools` are sorted by name. Equal tools stay so, and tools without the figure are last. */
export function sortTools(
  tools: readonly ToolSummary[],
  sort: ToolSort,
  isDescending: boolean,
  usage: ToolUsage,
): readonly ToolSummary[] {
  const direction = isDescending ? -1 : 1;
  if (sort === 'name') return isDescending ? tools.toReversed() : tools;
  if (sort === 'server')
    return [...Map.groupBy(tools, ({ server }) => server)]
      .sort(([a], [b]) => direction * byName(a, b))
      .flatMap(([, its]) => its);
  const none = isDescending ? -1 : Number.POSITIVE_INFINITY;
  return tools
    .map((tool) => ({ tool, figure: figureOf(tool, sort, usage) ?? none }))
    .sort((a, b) => (a.figure === b.figure ? 0 : direction * (a.figure - b.figure)))
    .map(({ tool }) => tool);
}
