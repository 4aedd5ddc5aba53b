/** The quick filter over the list of tools. */
import Fuse from 'fuse.js';
import type { ToolSummary } from '../../shared/model.ts';
import type { ToolFilters } from '../stores/tools.ts';

/** An index for the quick filter; built once per list. */
export function indexTools(tools: readonly ToolSummary[]): Fuse<ToolSummary> {
  return new Fuse(tools, {
    keys: [
      { name: 'name', weight: 3 },
      { name: 'title', weight: 2 },
      { name: 'server', weight: 1 },
      { name: 'tags', weight: 1 },
      { name: 'summary', weight: 1 },
    ],
    threshold: 0.25,
    ignoreLocation: true,
    useExtendedSearch: true,
  });
}

/** The tools that pass all filters; by text in order of likeness, else in the order of the list. */
export function filterTools(
  tools: readonly ToolSummary[],
  index: Fuse<ToolSummary>,
  filters: ToolFilters,
): ToolSummary[] {
  const text = filters.text.trim();
  const found = text ? index.search(text).map(({ item }) => item) : tools;
  return found.filter(
    (tool) =>
      (!filters.server || tool.server === filters.server) &&
      (!filters.category || tool.category === filters.category) &&
      (!filters.safety || tool.safetyLevel === filters.safety) &&
      (!filters.tag || tool.tags.includes(filters.tag)) &&
      hasState(tool, filters.state),
  );
}

function hasState(tool: ToolSummary, state: ToolFilters['state']): boolean {
  switch (state) {
    case 'on':
      return tool.enabled;
    case 'off':
      return !tool.enabled;
    case 'held':
      return tool.held;
    case 'flagged':
      return tool.findings > 0;
    case '':
      return true;
  }
}
