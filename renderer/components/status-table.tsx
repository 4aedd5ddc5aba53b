/** A table of all servers with their status and call statistics, sorted by a column. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { ServerView } from '../../shared/model/server.ts';
import { onCalls, useResource } from '../stores/resource.ts';
import { hrefOf } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import { StatusBadge } from './badge.tsx';
import { byName, duration, number } from './format.ts';
import { ScrollRegion } from './scroll-region.tsx';
import tableStyles from './table.module.css';
import { VisibleText } from './untrusted-text.tsx';
import { useFirstRows } from './use-first-rows.ts';

interface Column {
  name: string;
  /** Numbers are sorted in descending order first. */
  sortBy(server: ServerView): number | string;
  cell(server: ServerView, now: number): ReactNode;
  isTechnical?: boolean;
}

const upTime = ({ startedAt, status }: ServerView, now: number) =>
  startedAt && status === 'ready' ? Math.max(0, now - startedAt) : undefined;

const columns: readonly Column[] = [
  { name: t('Status'), sortBy: ({ status }) => status, cell: (server) => <StatusBadge server={server} /> },
  { name: t('Tools'), sortBy: ({ toolCount }) => toolCount, cell: ({ toolCount }) => number(toolCount) },
  {
    name: t('Calls'),
    sortBy: ({ calls }) => calls.total,
    cell: ({ calls: { total, failed } }) =>
      failed > 0 ? t('{total, number} ({failed} failed)', { total, failed }) : number(total),
  },
  {
    name: t('Average'),
    sortBy: ({ calls }) => calls.averageMs,
    cell: ({ calls: { total, averageMs } }) => (total > 0 ? duration(averageMs) : '–'),
  },
  { name: t('Process'), isTechnical: true, sortBy: ({ pid = 0 }) => pid, cell: ({ pid }) => pid ?? '–' },
  {
    name: t('Uptime'),
    isTechnical: true,
    sortBy: ({ startedAt = Number.POSITIVE_INFINITY }) => -startedAt,
    cell: (server, now) => {
      const ms = upTime(server, now);
      return ms === undefined ? '–' : duration(ms);
    },
  },
  { name: t('Restarts'), isTechnical: true, sortBy: ({ restarts }) => restarts, cell: ({ restarts }) => restarts },
  {
    name: t('Breaker'),
    isTechnical: true,
    sortBy: ({ breaker }) => breaker,
    cell: ({ breaker }) => breakerLabels[breaker],
  },
];
const breakerLabels = { closed: t('closed'), open: t('open'), 'half-open': t('half-open') };
const textColumns = new Set([t('Server'), t('Status'), t('Breaker')]);

interface Sorting {
  column: string;
  isDescending: boolean;
}

export function StatusTable({ showTechnicalDetails, now }: { showTechnicalDetails: boolean; now: number }) {
  const { servers } = useStores();
  const { data } = useResource(servers, onCalls);
  const [sorting, setSorting] = useState<Sorting>({ column: t('Server'), isDescending: false });
  const rows = useFirstRows(useMemo(() => sorted(data ?? [], sorting), [data, sorting]));
  if (!data) return null;
  if (data.length === 0) return <p className="muted">{t('No servers yet.')}</p>;
  const shown = columns.filter(({ isTechnical }) => showTechnicalDetails || !isTechnical);
  const sort = (column: string) =>
    setSorting({
      column,
      isDescending: column === sorting.column ? !sorting.isDescending : !textColumns.has(column),
    });
  return (
    <ScrollRegion className={`${tableStyles.tableScroll} card`} label={t('Server status')}>
      <table>
        <thead>
          <tr>
            {[t('Server'), ...shown.map(({ name }) => name)].map((name) => (
              <SortHeader key={name} name={name} sorting={sorting} onSort={() => sort(name)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((server) => (
            <tr key={server.id}>
              <th scope="row">
                <a href={hrefOf('servers', server.id)}>
                  <VisibleText text={server.id} />
                </a>
                {showTechnicalDetails && server.failure && (
                  <VisibleText as="p" className={tableStyles.tableProblem} text={server.failure.message} />
                )}
              </th>
              {shown.map(({ name, cell }) => (
                <td key={name} className={textColumns.has(name) ? undefined : tableStyles.number}>
                  {cell(server, now)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SortHeader({ name, sorting, onSort }: { name: string; sorting: Sorting; onSort(): void }) {
  const isSorted = sorting.column === name;
  const Icon = sorting.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={textColumns.has(name) ? undefined : tableStyles.number}
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className={tableStyles.sort} onClick={onSort}>
        {name}
        {isSorted && <Icon className="icon" aria-hidden />}
      </button>
    </th>
  );
}

function sorted(servers: readonly ServerView[], { column, isDescending }: Sorting): ServerView[] {
  const value = columns.find(({ name }) => name === column)?.sortBy ?? (({ id }: ServerView) => id);
  const order = isDescending ? -1 : 1;
  return servers.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    const difference = typeof left === 'number' ? left - Number(right) : byName(left, String(right));
    return order * difference || byName(a.id, b.id);
  });
}
