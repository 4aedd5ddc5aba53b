/** The filter bar of the tool list: a text field, and further filters on request. */
import { ListFilter, Search, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import {
  type Category,
  categorySchema,
  type Effect,
  effectSchema,
  type ToolSummary,
} from '../../../shared/model/tool.ts';
import { IconButton } from '../../components/button.tsx';
import { FilterInput, type Option, Select } from '../../components/controls.tsx';
import { categoryLabels, effectLabels } from '../../components/labels.ts';
import { MultiSelect } from '../../components/multi-select.tsx';
import { useStores } from '../../stores/stores.ts';
import { noFilters, type ToolFilters } from '../../stores/tools.ts';
import { t } from '../../text.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { FilterChips } from './filter-chips.tsx';
import { behaviorLabels, stateLabels } from './filter-labels.ts';
import { SortMenu } from './sort-menu.tsx';
import styles from './tool-filters.module.css';

const effectOptions: Option[] = [
  ['', t('Any effect')],
  ...effectSchema.options.map((effect): Option => [effect, effectLabels[effect]]),
];
const behaviorOptions: Option[] = [['', t('Any behavior')], ...Object.entries(behaviorLabels)];
const stateOptions: Option[] = [['', t('Any state')], ...Object.entries(stateLabels)];
const categoryOptions: Option[] = [
  ['', t('Any category')],
  ...categorySchema.options.map((category): Option => [category, categoryLabels[category]]),
];

interface ToolFilterBarProps {
  tools: readonly ToolSummary[];
  /** The tools that match. */
  shown: readonly ToolSummary[];
  /** Opens the first tool that matches. */
  onOpenFirst(): void;
  /** Moves the focus to the list, with a tool selected. */
  onMoveToList(): void;
}

export function ToolFilterBar({ tools, shown, onOpenFirst, onMoveToList }: ToolFilterBarProps) {
  const { tools: store } = useStores();
  const { filters } = useStore(store.state);
  const [isOpen, setOpen] = useState(false);
  const set = (change: Partial<ToolFilters>) => store.setFilters(change);
  const filterCount = Object.entries(filters).filter(([key, value]) => key !== 'text' && value.length > 0).length;
  const isFiltered = filterCount > 0 || filters.text !== '';

  return (
    <search className={styles.filters}>
      <div className={styles.filtersText}>
        <Search className="icon" aria-hidden />
        <FilterInput
          label={t('Filter tools')}
          aria-keyshortcuts="/"
          value={filters.text}
          onChange={(text) => set({ text })}
          onEnter={onOpenFirst}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            onMoveToList();
          }}
        />
        <kbd aria-hidden>/</kbd>
        <IconButton
          label={filterCount > 0 ? t('Filters ({count, number} active)', { count: filterCount }) : t('Filters')}
          icon={ListFilter}
          aria-expanded={isOpen}
          data-set={filterCount > 0 || undefined}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <FilterChips tools={tools} />
      {isOpen && <FilterSelects tools={tools} />}
      <div className={styles.filtersCount}>
        <p role="status">
          {shown.length === tools.length
            ? t('{count, plural, one {# tool} other {# tools}}', { count: tools.length })
            : t('{count, number} of {tools, plural, one {# tool} other {# tools}}', {
                count: shown.length,
                tools: tools.length,
              })}
        </p>
        {isFiltered && (
          <span className={styles.filtersActions}>
            {shown.length > 0 && <BulkActions shown={shown} />}
            <button type="button" className="link-button" onClick={() => store.setFilters(noFilters)}>
              <X className="icon" aria-hidden />
              {t('Clear')}
            </button>
          </span>
        )}
        <span className={styles.filtersSort}>
          <SortMenu />
        </span>
      </div>
    </search>
  );
}

function FilterSelects({ tools }: Pick<ToolFilterBarProps, 'tools'>) {
  const { tools: store } = useStores();
  const { filters } = useStore(store.state);
  const servers = useMemo(() => distinct(tools.map(({ server }) => server)), [tools]);
  const tags = useMemo(() => distinct(tools.flatMap((tool) => tool.tags)), [tools]);
  const set = (change: Partial<ToolFilters>) => store.setFilters(change);
  return (
    <div className={styles.filtersSelects}>
      <MultiSelect
        label={t('Server')}
        none={t('Any server')}
        several={(count) => t('{count, plural, one {# server} other {# servers}}', { count })}
        values={filters.servers}
        options={servers}
        onChange={(chosen) => set({ servers: chosen })}
      />
      <Select
        bare
        label={t('Effect')}
        value={filters.effect}
        options={effectOptions}
        onChange={(effect) => set({ effect: effect as Effect | '' })}
      />
      <Select
        bare
        label={t('Category')}
        value={filters.category}
        options={categoryOptions}
        onChange={(category) => set({ category: category as Category | '' })}
      />
      <Select
        bare
        label={t('Behavior')}
        value={filters.behavior}
        options={behaviorOptions}
        onChange={(behavior) => set({ behavior: behavior as ToolFilters['behavior'] })}
      />
      <Select
        bare
        label={t('State')}
        value={filters.state}
        options={stateOptions}
        onChange={(state) => set({ state: state as ToolFilters['state'] })}
      />
      <Select
        bare
        label={t('Tag')}
        value={filters.tag}
        options={withAny(t('Any tag'), tags)}
        onChange={(tag) => set({ tag })}
      />
    </div>
  );
}

const distinct = (values: readonly string[]): string[] =>
  [...new Set(values)].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
const withAny = (any: string, values: readonly string[]): Option[] => [
  ['', any],
  ...values.map((value): Option => [value, value]),
];
