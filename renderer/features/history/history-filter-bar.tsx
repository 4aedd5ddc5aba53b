/** The filters of the history, and the export of the matching entries. */
import { Braces, Download, Sheet } from 'lucide-react';
import { useMemo } from 'react';
import { historyCsv } from '../../../shared/history-csv.ts';
import type { RecordKind } from '../../../shared/model/call.ts';
import { useClientName } from '../../components/client-name.tsx';
import { FilterInput, type Option, Segments, Select } from '../../components/controls.tsx';
import { Menu } from '../../components/menu.tsx';
import { saveFile } from '../../components/save-file.ts';
import type { HistoryFilter } from '../../stores/history-view.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { groupRecords, type HistoryEntry } from './entries.ts';
import styles from './history.module.css';
import { entryMatcher } from './history-filter.ts';

interface HistoryFilterBarProps {
  filter: HistoryFilter;
  /** The filters list the servers and clients of these entries. */
  entries: readonly HistoryEntry[];
  onChange(change: Partial<HistoryFilter>): void;
}

const kinds: readonly Option[] = [
  ['', t('All')],
  ['call', t('Calls')],
  ['approval', t('Approvals')],
  ['question', t('Questions')],
];
const outcomes: readonly Option[] = [
  ['', t('Any outcome')],
  ['ok', t('OK')],
  ['failed', t('Failed')],
  ['stopped', t('Denied or refused')],
];
const periods: readonly Option[] = [
  ['', t('Any time')],
  ['today', t('Today')],
  ['yesterday', t('Yesterday')],
  ['week', t('Last 7 days')],
  ['month', t('Last 30 days')],
];

export function HistoryFilterBar({ filter, entries, onChange: set }: HistoryFilterBarProps) {
  const nameOf = useClientName();
  const servers = useMemo(() => options(entries, 'server', t('Any server')), [entries]);
  const clients = useMemo(() => options(entries, 'client', t('Any client'), nameOf), [entries, nameOf]);
  const selects = [
    ['server', t('Server'), servers],
    ['client', t('Client'), clients],
    ['outcome', t('Outcome'), outcomes],
    ['period', t('Time'), periods],
  ] as const;
  return (
    <search className={styles.historyFilters}>
      <FilterInput
        label={t('Filter history')}
        placeholder={t('Filter by tool, client, argument…')}
        value={filter.text}
        onChange={(text) => set({ text })}
      />
      <Segments
        label={t('Kind')}
        value={filter.kind}
        options={kinds}
        onChange={(kind) => set({ kind: kind as RecordKind | '' })}
      />
      <ExportMenu filter={filter} />
      <div className={styles.historySelects}>
        {selects.map(([key, label, choices]) => (
          <Select
            key={key}
            bare
            label={label}
            value={filter[key]}
            options={choices}
            onChange={(value) => set({ [key]: value })}
          />
        ))}
      </div>
    </search>
  );
}

function options(
  entries: readonly HistoryEntry[],
  key: 'server' | 'client',
  any: string,
  nameOf = (name: string) => name,
): Option[] {
  const names = [...new Set(entries.map(({ main }) => nameOf(main[key])))].filter(Boolean).sort();
  return [['', any], ...names.map((name): Option => [name, name])];
}

/** Exports every entry that matches the filter, not only the loaded ones. */
function ExportMenu({ filter }: { filter: HistoryFilter }) {
  const { history, toasts } = useStores();
  const nameOf = useClientName();
  async function save(as: 'csv' | 'json'): Promise<void> {
    const all = await toasts.attempt(() => history.all());
    if (!all) return;
    const entries = groupRecords(all.toReversed()).filter(entryMatcher(filter, nameOf));
    const records = entries.flatMap((entry) => entry.records).sort((a, b) => a.at - b.at);
    if (as === 'csv') saveFile('toolkeep-history.csv', 'text/csv', historyCsv(records));
    else saveFile('toolkeep-history.json', 'application/json', JSON.stringify(records, null, 2));
    toasts.success(t('{count, plural, one {# entry} other {# entries}} exported.', { count: records.length }));
  }
  return (
    <Menu
      label={t('Export')}
      text={t('Export')}
      icon={Download}
      items={[
        { label: t('CSV'), icon: Sheet, onSelect: () => void save('csv') },
        { label: t('JSON'), icon: Braces, onSelect: () => void save('json') },
      ]}
    />
  );
}
