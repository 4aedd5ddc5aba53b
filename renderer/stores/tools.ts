/** The list of all tools, its filters and its sort order. */
import type { StoreApi } from 'zustand/vanilla';
import type { CallStatistics } from '../../shared/model/call.ts';
import type { Category, Effect, SafetyLevel, ToolHint, ToolSummary } from '../../shared/model/tool.ts';
import type { Link } from './link.ts';
import { createResource, type Resource } from './resource.ts';
import { createViewState, oneOf } from './view-state.ts';

const toolSorts = ['server', 'name', 'calls', 'failed', 'time', 'tokens'] as const;
export type ToolSort = (typeof toolSorts)[number];

export interface ToolFilters {
  text: string;
  /** Tools of any of these servers; none means all. */
  servers: readonly string[];
  category: Category | '';
  safety: SafetyLevel | '';
  effect: Effect | '';
  tag: string;
  /** `enabled`: and not held. `available`: agents can run it now, because its server is available, too. */
  state: 'available' | 'enabled' | 'disabled' | 'held' | 'flagged' | '';
  behavior: ToolHint | `not-${ToolHint}` | '';
}

export interface ToolListState {
  filters: ToolFilters;
  /** By server, the tools are grouped. */
  sort: ToolSort;
  isDescending: boolean;
}

/** The figures of the tools that were called, by the tool's key. */
export type ToolUsage = ReadonlyMap<string, CallStatistics>;

export interface ToolsStore {
  readonly list: Resource<ToolSummary[]>;
  readonly usage: Resource<ToolUsage>;
  readonly state: StoreApi<ToolListState>;
  setFilters(change: Partial<ToolFilters>): void;
  /** Figures start with the highest. */
  setSort(sort: ToolSort, isDescending?: boolean): void;
}

/** The number of tools per request. Checking many thousands at once would block the page. */
const partSize = 2000;

export const noFilters: ToolFilters = {
  text: '',
  servers: [],
  category: '',
  safety: '',
  effect: '',
  tag: '',
  state: '',
  behavior: '',
};

export function createTools(link: Link): ToolsStore {
  const { state, set } = createViewState<ToolListState>(
    'tools',
    { filters: noFilters, sort: 'server', isDescending: false },
    { sort: oneOf(toolSorts), isDescending: oneOf([true, false]) },
  );
  async function load(): Promise<ToolSummary[]> {
    // Collect by key, because a tool may move to the next part in the meantime. The list is then loaded again.
    const tools = new Map<string, ToolSummary>();
    for (let offset = 0; ; offset += partSize) {
      const part = await link.call('tools.list', { includeDisabled: true, offset, limit: partSize });
      const sizeBefore = tools.size;
      for (const tool of part) tools.set(tool.key, tool);
      // A part without new tools also ends the list, so that this loop always ends.
      if (part.length < partSize || tools.size === sizeBefore) return [...tools.values()];
    }
  }
  const list = createResource(link, load, ['tools.changed', 'rules.changed'], true);
  // Apart from the list, because every call changes them.
  const loadUsage = async (): Promise<ToolUsage> =>
    new Map((await link.call('tools.usage')).map(({ key, calls }) => [key, calls]));
  return {
    list,
    usage: createResource(link, loadUsage, ['calls.recorded']),
    state,
    setFilters: (change) => set({ filters: { ...state.getState().filters, ...change } }),
    setSort: (sort, isDescending = sort !== 'server' && sort !== 'name') => set({ sort, isDescending }),
  };
}

export function hasState(tool: ToolSummary, state: ToolFilters['state'], available?: ReadonlySet<string>): boolean {
  switch (state) {
    case 'available':
      return hasState(tool, 'enabled') && available?.has(tool.server) === true;
    case 'enabled':
      return tool.enabled && !tool.held;
    case 'disabled':
      return !tool.enabled;
    case 'held':
      return tool.held;
    case 'flagged':
      return tool.findings > 0;
    case '':
      return true;
  }
}
