/** Past calls, questions and decisions, live. */
import { Braces, Download, History, KeyRound, MessageCircleQuestion, SearchX, Sheet, Wrench } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { FailureCode } from '../../shared/failure.ts';
import { historyCsv } from '../../shared/history-csv.ts';
import type { CallFilter, CallRecord } from '../../shared/model.ts';
import { Button } from '../parts/button.tsx';
import { Segments, Select } from '../parts/controls.tsx';
import { saveFile } from '../parts/export.ts';
import { clock, count, duration } from '../parts/format.ts';
import { Menu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import { FoldableText, VisibleText } from '../parts/server-text.tsx';
import { Empty, FailureBox, Skeleton } from '../parts/states.tsx';
import { type Tab, Tabs } from '../parts/tabs.tsx';
import { useStores } from '../stores/stores.ts';
import { Savings } from './savings.tsx';

const pageSize = 100;

const tabs: readonly Tab[] = [
  { id: '', label: 'Activity' },
  { id: 'savings', label: 'Token savings' },
];

export function HistoryView({ parts: [wanted = ''] }: { parts: string[] }) {
  const isSavings = wanted === 'savings';
  return (
    <Page
      title="History"
      lead={
        isSavings
          ? 'What your apps did not have to read, less what searching cost.'
          : 'Every call, question and decision. Secrets are masked before anything is written.'
      }
    >
      <Tabs place="history" tabs={tabs} chosen={isSavings ? 'savings' : ''} />
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
  const found = (records ?? []).filter((record) => matches(record, text, kind, server));
  const shown = found.slice(0, shownCount);
  return (
    <>
      {failure && !records && <FailureBox failure={failure} onRetry={() => void history.load()} />}
      {!records && !failure && <Skeleton label="history" rows={6} />}
      {records?.length === 0 && (
        <Empty icon={History} title="Nothing has happened yet">
          <p>When an app runs a tool through Gatehouse, it appears here.</p>
        </Empty>
      )}
      {records && records.length > 0 && (
        <>
          <search className="history-filters">
            <input
              className="input"
              type="search"
              aria-label="Filter history"
              placeholder="Filter by tool, app, argument…"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <Segments
              label="Kind"
              value={kind}
              options={[
                ['', 'All'],
                ['call', 'Calls'],
                ['question', 'Questions'],
                ['grant', 'Decisions'],
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
              filter={{ ...(kind && { kind }), ...(server && { server }), ...(text.trim() && { text: text.trim() }) }}
            />
          </search>
          {found.length === 0 ? (
            <Empty icon={SearchX} title="Nothing matches" />
          ) : (
            <ul className="rows rows-card history">
              {shown.map((record) => (
                <li key={record.id}>
                  <RecordRow record={record} />
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

/** Writes out everything that fits the filter, however far back, not only what is on screen. */
function ExportMenu({ filter }: { filter: CallFilter }) {
  const { history, notices } = useStores();
  async function save(as: 'csv' | 'json'): Promise<void> {
    const all = await notices.attempt(() => history.all(filter));
    if (!all) return;
    if (as === 'csv') saveFile('gatehouse-history.csv', 'text/csv', historyCsv(all));
    else saveFile('gatehouse-history.json', 'application/json', JSON.stringify(all, null, 2));
    notices.good(`${count(all.length, 'record')} exported.`);
  }
  return (
    <Menu
      label="Export"
      text="Export"
      icon={Download}
      items={[
        { label: 'As CSV, for a spreadsheet', icon: Sheet, onSelect: () => void save('csv') },
        { label: 'As JSON', icon: Braces, onSelect: () => void save('json') },
      ]}
    />
  );
}

const kindIcons = { call: Wrench, question: MessageCircleQuestion, grant: KeyRound };
const kindWords = { call: 'Call', question: 'Question', grant: 'Decision' };

const outcomeWords: Record<string, string> = {
  ok: 'Done',
  failed: 'Failed',
  'tool error': 'The tool reported an error',
  'allowed: once': 'Allowed once',
  'allowed: session': 'Allowed for the session',
  'allowed: minutes': 'Allowed for 15 minutes',
  'allowed: always': 'Always allowed',
  denied: 'Denied',
  'not answered': 'Not answered',
  'nobody to ask': 'Nobody was there to ask',
  revoked: 'Taken back',
  'wanted while off': 'Wanted while it is off',
  'wanted while off: switched on': 'Switched on',
  'wanted while off: stays off': 'Left off',
  'wanted while off: not answered': 'Not answered',
};

/** Of such a call it matters that nothing was done; why, its question or its code tells. */
const neverRan: ReadonlySet<string> = new Set([
  'APPROVAL_DENIED',
  'APPROVAL_UNAVAILABLE',
  'ARGUMENTS_INVALID',
  'NOT_IN_PROFILE',
  'PAUSED',
  'SERVER_DISABLED',
  'TOOL_DISABLED',
  'TOOL_HELD_BACK',
] satisfies FailureCode[]);

/** Of a tool's question Core tells the kind as well, which its icon and tool tell here: `form: answered`. */
function outcomeOf({ kind, outcome, code }: CallRecord): string {
  if (kind === 'call' && code !== undefined && neverRan.has(code)) return 'Did not run';
  if (outcomeWords[outcome]) return outcomeWords[outcome];
  const told = kind === 'question' ? outcome.replace(/^[a-z]+: /, '') : outcome;
  return told.charAt(0).toUpperCase() + told.slice(1);
}

function RecordRow({ record }: { record: CallRecord }) {
  const Icon = kindIcons[record.kind];
  const outcome = outcomeOf(record);
  const isGood = /^(?:done|allowed|always allowed|answered|switched on)/i.test(outcome);
  return (
    <details className="record">
      <summary>
        <Icon className="icon" role="img" aria-label={kindWords[record.kind]} />
        <span className="record-main">
          <span className="record-tool">
            <VisibleText text={record.tool || record.server || kindWords[record.kind]} />
          </span>
          <span className="muted small">
            <VisibleText text={[record.server, record.client].filter(Boolean).join(' · ')} />
          </span>
        </span>
        <span className={isGood ? 'record-outcome' : 'record-outcome record-bad'}>
          <VisibleText text={outcome} />
        </span>
        <span className="record-time muted small">
          <time dateTime={new Date(record.at).toISOString()}>{clock(record.at)}</time>
          {record.kind === 'call' && ` · ${duration(record.durationMs)}`}
        </span>
      </summary>
      <div className="record-more">
        {record.code && <p className="failure-code">{record.code}</p>}
        {record.arguments ? (
          <FoldableText mono text={pretty(record.arguments)} />
        ) : (
          <p className="muted">{record.kind === 'call' ? 'No arguments.' : 'Only the outcome is kept.'}</p>
        )}
      </div>
    </details>
  );
}

function matches(record: CallRecord, text: string, kind: string, server: string): boolean {
  if ((kind && record.kind !== kind) || (server && record.server !== server)) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hay =
    `${record.tool} ${record.server} ${record.client} ${record.outcome} ${record.code ?? ''} ${record.arguments}`.toLowerCase();
  return words.every((word) => hay.includes(word));
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
