/** The filter bar of the tool list: a text field, and further filters on request. */
import { ListFilter, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { categorySchema, effectSchema, type ToolSummary } from '../../../shared/model/tool.ts';
import { IconButton } from '../../components/button.tsx';
import { type Option, SearchInput, Select } from '../../components/controls.tsx';
import { byName } from '../../components/format.ts';
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
    <search className={`${styles.filters} stack-closest`}>
      <SearchInput
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
      >
        <kbd aria-hidden>/</kbd>
        <IconButton
          label={filterCount > 0 ? t('Filters ({count, number} active)', { count: filterCount }) : t('Filters')}
          icon={ListFilter}
          aria-expanded={isOpen}
          data-set={filterCount > 0 || undefined}
          onClick={() => setOpen(!isOpen)}
        />
      </SearchInput>
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
  const selects: readonly (readonly [string, keyof Omit<ToolFilters, 'servers'>, Option[]])[] = [
    [t('Effect'), 'effect', effectOptions],
    [t('Category'), 'category', categoryOptions],
    [t('Behavior'), 'behavior', behaviorOptions],
    [t('State'), 'state', stateOptions],
    [t('Tag'), 'tag', withAny(t('Any tag'), tags)],
  ];
  return (
    <div className={styles.filtersSelects}>
      <MultiSelect
        label={t('Server')}
        none={t('Any server')}
        several={(count) => t('{count, plural, one {# server} other {# servers}}', { count })}
        values={filters.servers}
        options={servers}
        onChange={(chosen) => store.setFilters({ servers: chosen })}
      />
      {selects.map(([label, filter, options]) => (
        <Select
          key={filter}
          bare
          label={label}
          value={filters[filter]}
          options={options}
          onChange={(value) => store.setFilters({ [filter]: value } as Partial<ToolFilters>)}
        />
      ))}
    </div>
  );
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort(byName);
const withAny = (any: string, values: readonly string[]): Option[] => [
  ['', any],
  ...values.map((value): Option => [value, value]),
];
