/**
 * All calls, questions and decisions by day, updated live. Only the newest records are loaded, but a filter can search
 * all of them.
 */
import { History, SearchX } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { CallRecord } from '../../../shared/model/call.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Button } from '../../components/button.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { DayHeading } from '../../components/day.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, Unloaded } from '../../components/states.tsx';
import { type HistoryFilter, noHistoryFilter } from '../../stores/history-view.ts';
import { replaceRoute } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { groupRecords } from './entries.ts';
import { EntryRow } from './entry-row.tsx';
import styles from './history.module.css';
import { entryMatcher, isFiltered } from './history-filter.ts';
import { HistoryFilterBar } from './history-filter-bar.tsx';

const pageSize = 100;
/** The number of records that the store loads. */
const loadedAtMost = 1000;

/** `opened`: the ID of the record whose entry is open. */
export function Activity({ opened }: { opened: string | undefined }) {
  const { history, historyView, link } = useStores();
  const nameOf = useClientName();
  const { records: latest, failure } = useStore(history.state);
  const [older, setOlder] = useState<readonly CallRecord[]>();
  const filter = useStore(historyView.state);
  const deferred = useDeferredValue(filter);
  const [shownCount, setShownCount] = useState(pageSize);
  useEffect(() => link.onOpen(() => void history.load()), [history, link]);

  const entries = useMemo(() => groupRecords(merged(latest ?? [], older)), [latest, older]);
  const found = useMemo(() => entries.filter(entryMatcher(deferred, nameOf)), [entries, deferred, nameOf]);
  const openedEntry = entries.find(({ main }) => main.id === opened);
  const isHidden = openedEntry !== undefined && !entryMatcher(filter, nameOf)(openedEntry);
  useEffect(() => {
    if (isHidden) historyView.set(noHistoryFilter);
  }, [isHidden, historyView]);
  if (!latest) return <Unloaded failure={failure} label={t('Loading history')} rows={6} onRetry={history.load} />;
  if (latest.length === 0)
    return (
      <Empty
        icon={History}
        title={t('No activity yet')}
        text={t('Calls appear here when a client runs a tool through Toolkeep.')}
      />
    );

  function setFilter(change: Partial<HistoryFilter>): void {
    // Otherwise the filter could not hide the opened entry.
    if (opened !== undefined) replaceRoute('history');
    historyView.set(change);
  }
  const isPartial = latest.length >= loadedAtMost && !older;
  const openedAt = openedEntry ? found.indexOf(openedEntry) : -1;
  const shown = found.slice(0, Math.max(shownCount, openedAt + 1));
  return (
    <>
      <HistoryFilterBar filter={filter} entries={entries} onChange={setFilter} />
      {found.length === 0 ? (
        <Empty icon={SearchX} title={t('No matches')}>
          <Button onClick={() => setFilter(noHistoryFilter)}>{t('Clear filters')}</Button>
        </Empty>
      ) : (
        <ul aria-label={t('History')} className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
          {shown.map((entry, index) => (
            <li key={entry.main.callId ?? entry.main.id}>
              <DayHeading at={entry.main.at} before={shown[index - 1]?.main.at} />
              <EntryRow entry={entry} isOpened={entry.main.id === opened} />
            </li>
          ))}
        </ul>
      )}
      {found.length > shown.length && (
        <Button onClick={() => setShownCount(shown.length + pageSize)}>
          {t('Show more ({count, number})', { count: found.length - shown.length })}
        </Button>
      )}
      {isPartial && (
        <p className={styles.historyLimit}>
          {isFiltered(filter)
            ? t('Searched the newest {count, plural, one {# entry} other {# entries}}.', { count: latest.length })
            : t('Loaded the newest {count, plural, one {# entry} other {# entries}}.', { count: latest.length })}
          <ActionButton run={async () => setOlder((await history.all()).toReversed())}>
            {isFiltered(filter) ? t('Search all history') : t('Load all history')}
          </ActionButton>
        </p>
      )}
    </>
  );
}

/** Newest first, with records that are in both lists only once. */
function merged(latest: readonly CallRecord[], older: readonly CallRecord[] | undefined): readonly CallRecord[] {
  if (!older) return latest;
  const known = new Set(latest.map(({ id }) => id));
  return [...latest, ...older.filter(({ id }) => !known.has(id))];
}
