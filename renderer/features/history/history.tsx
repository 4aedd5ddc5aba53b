/** The history: calls, questions and decisions, updated live. */
import { Braces, Download, History, SearchX, Sheet } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { historyCsv } from '../../../shared/history-csv.ts';
import type { CallFilter, CallRecord } from '../../../shared/model/call.ts';
import { Button } from '../../components/button.tsx';
import { Segments, Select } from '../../components/controls.tsx';
import { count } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { Page } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { saveFile } from '../../components/save-file.ts';
import { Empty, FailureBox, Skeleton } from '../../components/states.tsx';
import { type Tab, Tabs } from '../../components/tabs.tsx';
import { useStores } from '../../stores/stores.ts';
import { groupRecords, matchesFilter } from './entries.ts';
import { EntryRow } from './entry-row.tsx';
import styles from './history.module.css';
import { Savings } from './savings.tsx';

const pageSize = 100;

const tabs: readonly Tab[] = [
  { id: '', label: 'Activity' },
  { id: 'savings', label: 'Token savings' },
];

export function HistoryView({ segments: [requestedTab = ''] }: { segments: string[] }) {
  const isSavings = requestedTab === 'savings';
  return (
    <Page
      title="History"
      lead={
        isSavings
          ? 'Tokens saved, net of the cost of searching.'
          : 'Every call, question and decision. Secrets are redacted.'
      }
    >
      <Tabs view="history" tabs={tabs} current={isSavings ? 'savings' : ''} />
      {isSavings ? <Savings /> : <Activity />}
    </Page>
  );
}

function Activity() {
  const { history, link } = useStores();
  const { records, failure } = useStore(history.state);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<CallRecord['kind'] | ''>('');
  const [server, setServer] = useState('');
  const [shownCount, setShownCount] = useState(pageSize);
  useEffect(() => link.onOpen(() => void history.load()), [history, link]);

  const servers = [...new Set(records?.map((record) => record.server))].filter(Boolean).sort();
  const entries = useMemo(() => groupRecords(records ?? []), [records]);
  const found = entries.filter((entry) =>
    entry.records.some((record) => matchesFilter(record, { text, kind, server })),
  );
  const shown = found.slice(0, shownCount);
  return (
    <>
      {failure && !records && <FailureBox failure={failure} onRetry={() => void history.load()} />}
      {!records && !failure && <Skeleton label="history" rows={6} />}
      {records?.length === 0 && (
        <Empty icon={History} title="No activity yet">
          <p>Calls appear here when a client runs a tool through Gatehouse.</p>
        </Empty>
      )}
      {records && records.length > 0 && (
        <>
          <search className={styles.historyFilters}>
            <input
              className="input"
              type="search"
              aria-label="Filter history"
              placeholder="Filter by tool, client, argument…"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Segments
              label="Kind"
              value={kind}
              options={[
                ['', 'All'],
                ['call', 'Calls'],
                ['approval', 'Approvals'],
                ['question', 'Questions'],
              ]}
              onChange={(next) => setKind(next as CallRecord['kind'] | '')}
            />
            <Select
              bare
              label="Server"
              value={server}
              options={[['', 'Any server'], ...servers.map((name) => [name, name] as const)]}
              onChange={setServer}
            />
            <ExportMenu
              filter={{ kind: kind || undefined, server: server || undefined, text: text.trim() || undefined }}
            />
          </search>
          {found.length === 0 ? (
            <Empty icon={SearchX} title="No matches" />
          ) : (
            <ul aria-label="History" className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
              {shown.map((entry) => (
                <li key={entry.main.id}>
                  <EntryRow entry={entry} />
                </li>
              ))}
            </ul>
          )}
          {found.length > shownCount && (
            <Button onClick={() => setShownCount(shownCount + pageSize)}>
              Show more ({(found.length - shownCount).toLocaleString('en')})
            </Button>
          )}
        </>
      )}
    </>
  );
}

/** Exports every record that matches the filter, not only the loaded ones. */
function ExportMenu({ filter }: { filter: CallFilter }) {
  const { history, toasts } = useStores();
  async function save(as: 'csv' | 'json'): Promise<void> {
    const all = await toasts.attempt(() => history.all(filter));
    if (!all) return;
    if (as === 'csv') saveFile('gatehouse-history.csv', 'text/csv', historyCsv(all));
    else saveFile('gatehouse-history.json', 'application/json', JSON.stringify(all, null, 2));
    toasts.success(`${count(all.length, 'record')} exported.`);
  }
  return (
    <Menu
      label="Export"
      text="Export"
      icon={Download}
      items={[
        { label: 'CSV', icon: Sheet, onSelect: () => void save('csv') },
        { label: 'JSON', icon: Braces, onSelect: () => void save('json') },
      ]}
    />
  );
}
