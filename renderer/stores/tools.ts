/** The list of all tools with its filters, and the details of the one that is open. */
import Fuse from 'fuse.js';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandInput } from '../../shared/contract.ts';
import type { Category, SafetyLevel, ToolSummary } from '../../shared/model.ts';
import type { Link } from './link.ts';
import { createResource, type Resource } from './resource.ts';

export type ToolSort = NonNullable<CommandInput<'tools.list'>['sortBy']>;

export interface ToolFilters {
  text: string;
  server: string;
  category: Category | '';
  safety: SafetyLevel | '';
  tag: string;
  state: 'on' | 'off' | 'held' | 'flagged' | '';
}

export interface ToolsStore {
  readonly list: Resource<ToolSummary[]>;
  readonly state: StoreApi<{ filters: ToolFilters; sort: ToolSort }>;
  setFilters(change: Partial<ToolFilters>): void;
  setSort(sort: ToolSort): void;
}

export const noFilters: ToolFilters = { text: '', server: '', category: '', safety: '', tag: '', state: '' };

export function createTools(link: Link): ToolsStore {
  const state = createStore<{ filters: ToolFilters; sort: ToolSort }>(() => ({ filters: noFilters, sort: 'name' }));
  const list = createResource(link, () => {
    const { sort } = state.getState();
    const sortDirection = sort === 'callCount' || sort === 'averageTime' ? 'desc' : 'asc';
    return link.call('tools.list', { includeDisabled: true, sortBy: sort, sortDirection });
  }, ['tools.changed', 'rules.changed']);
  return {
    list,
    state,
    setFilters: (change) => state.setState(({ filters }) => ({ filters: { ...filters, ...change } })),
    setSort(sort) {
      state.setState({ sort });
      void list.load();
    },
  };
}

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
