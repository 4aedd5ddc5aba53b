/** The columns of the tool list, with headers that sort it. Narrow lists show fewer of them, but always the sorted one. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useStore } from 'zustand';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { duration, number, tokens } from '../../components/format.ts';
import tableStyles from '../../components/table.module.css';
import { useStores } from '../../stores/stores.ts';
import type { ToolSort, ToolUsage } from '../../stores/tools.ts';
import { t } from '../../text.tsx';
import { type Figure, figureOf, isFigure } from './sort-tools.ts';
import styles from './tool-columns.module.css';

const columns: readonly (readonly [figure: Figure, label: string, format: (value: number) => string])[] = [
  ['calls', t('Calls'), number],
  ['failed', t('Failed'), number],
  ['time', t('Average'), duration],
  ['tokens', t('Tokens'), tokens],
];

/** `isApplied`: whether the list is in this order; a text filter sorts by relevance. */
export function ToolColumns({ isApplied }: { isApplied: boolean }) {
  const { tools: store } = useStores();
  const { sort, isDescending } = useStore(store.state);
  const header = (column: ToolSort, label: string, className: string | undefined) => {
    const isSorted = isApplied && sort === column;
    const Icon = isDescending ? ArrowDown : ArrowUp;
    return (
      <th
        key={column}
        scope="col"
        className={className}
        aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
        data-column={column}
        data-sorted={sort === column || undefined}
      >
        <button
          type="button"
          className={tableStyles.sort}
          onClick={() => store.setSort(column, sort === column ? !isDescending : undefined)}
        >
          {isSorted && <Icon className="icon" aria-hidden />}
          {label}
        </button>
      </th>
    );
  };
  return (
    <table className={styles.columns} aria-label={t('Columns')} data-figure={isFigure(sort) || undefined}>
      <thead>
        <tr>
          {header('name', t('Tool'), undefined)}
          {columns.map(([figure, label]) => header(figure, label, styles.figure))}
        </tr>
      </thead>
    </table>
  );
}

export function ToolFigures({ tool, usage, sort }: { tool: ToolSummary; usage: ToolUsage; sort: ToolSort }) {
  return columns.map(([figure, label, format]) => {
    const value = figureOf(tool, figure, usage);
    return (
      <span
        key={figure}
        className={styles.figure}
        data-column={figure}
        data-sorted={sort === figure || undefined}
        data-none={value === 0 || undefined}
      >
        {value !== undefined && (
          <>
            <span className="sr-only">{label} </span>
            {format(value)}
          </>
        )}
      </span>
    );
  });
}
