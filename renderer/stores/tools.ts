/** The list of all tools, its filters and its sort order. */
import type { StoreApi } from 'zustand/vanilla';
import type { Category, SafetyLevel, ToolHint, ToolSummary } from '../../shared/model/tool.ts';
import type { CommandInput } from '../../shared/protocol/contract.ts';
import type { Link } from './link.ts';
import { createResource, type Resource } from './resource.ts';
import { createViewState, oneOf } from './view-state.ts';

export type ToolSort = NonNullable<CommandInput<'tools.list'>['sortBy']>;

const toolSorts: readonly ToolSort[] = ['name', 'callCount', 'successRate', 'averageTime'];

export interface ToolFilters {
  text: string;
  /** Tools of any of these servers; none means all. */
  servers: readonly string[];
  category: Category | '';
  safety: SafetyLevel | '';
  tag: string;
  /** `available`: agents can run it now, because its server is available, too. */
  state: 'available' | 'enabled' | 'disabled' | 'held' | 'flagged' | '';
  behavior: ToolHint | `not-${ToolHint}` | '';
}

export interface ToolListState {
  filters: ToolFilters;
  sort: ToolSort;
}

export interface ToolsStore {
  readonly list: Resource<ToolSummary[]>;
  readonly state: StoreApi<ToolListState>;
  setFilters(change: Partial<ToolFilters>): void;
  setSort(sort: ToolSort): void;
}

/** The number of tools per request. Checking many thousands at once would block the page. */
const partSize = 2000;

export const noFilters: ToolFilters = {
  text: '',
  servers: [],
  category: '',
  safety: '',
  tag: '',
  state: '',
  behavior: '',
};

export function createTools(link: Link): ToolsStore {
  const { state, set } = createViewState<ToolListState>(
    'tools',
    { filters: noFilters, sort: 'name' },
    { sort: oneOf(toolSorts) },
  );
  async function load(): Promise<ToolSummary[]> {
    const { sort } = state.getState();
    const sortDirection = sort === 'callCount' || sort === 'averageTime' ? 'desc' : 'asc';
    // Collect by key, because a tool may move to the next part in the meantime. The list is then loaded again.
    const tools = new Map<string, ToolSummary>();
    for (let offset = 0; ; offset += partSize) {
      const order = { includeDisabled: true, sortBy: sort, sortDirection } as const;
      const part = await link.call('tools.list', { ...order, offset, limit: partSize });
      const sizeBefore = tools.size;
      for (const tool of part) tools.set(tool.key, tool);
      // A part without new tools also ends the list, so that this loop always ends.
      if (part.length < partSize || tools.size === sizeBefore) return [...tools.values()];
    }
  }
  // Every call changes all other sort orders, so the list is kept only if it is sorted by name.
  const list = createResource(link, load, ['tools.changed', 'rules.changed'], () => state.getState().sort === 'name');
  return {
    list,
    state,
    setFilters: (change) => set({ filters: { ...state.getState().filters, ...change } }),
    setSort(sort) {
      set({ sort });
      void list.load();
    },
  };
}
