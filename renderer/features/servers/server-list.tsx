/** The list of servers: those that need attention first, filtered by text and state. */
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ServerView } from '../../../shared/model/server.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { Segments, Select } from '../../components/controls.tsx';
import { byName, count } from '../../components/format.ts';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { BulkActions } from './bulk-actions.tsx';
import styles from './server-list.module.css';

/** Shorter lists need no filter. */
const minServersForFilter = 6;

/** Servers that need attention come first; then by name. */
const statusOrder: Record<ServerView['status'], number> = { failed: 0, starting: 1, ready: 2, idle: 2, disabled: 3 };

type Order = 'attention' | 'name' | 'calls' | 'tools';

const nameOrder = (a: ServerView, b: ServerView) => byName(a.id, b.id);
const orders: Record<Order, (a: ServerView, b: ServerView) => number> = {
  attention: (a, b) => statusOrder[a.status] - statusOrder[b.status] || nameOrder(a, b),
  name: nameOrder,
  calls: (a, b) => b.calls.total - a.calls.total || nameOrder(a, b),
  tools: (a, b) => b.toolCount - a.toolCount || nameOrder(a, b),
};

type State = 'all' | 'problems' | 'disabled';

interface ServerListProps {
  servers: readonly ServerView[];
  selectedId: string | undefined;
}

export function ServerList({ servers, selectedId }: ServerListProps) {
  const [text, setText] = useState('');
  const [state, setState] = useState<State>('all');
  const [order, setOrder] = useState<Order>('attention');
  const shown = servers
    .filter((server) => hasState(server, state) && matchesText(server, text))
    .toSorted(orders[order]);
  const problemCount = servers.filter((server) => hasState(server, 'problems')).length;
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new server appears after it is selected
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [selectedId, servers.length]);
  return (
    <>
      {servers.length >= minServersForFilter && (
        <search className={styles.filters}>
          <div className={styles.text}>
            <Search className="icon" aria-hidden />
            <input
              className="input"
              type="search"
              aria-label="Filter servers"
              placeholder="Filter servers"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
          <Segments
            label="State"
            value={state}
            options={[
              ['all', 'All'],
              ['problems', problemCount > 0 ? `Problems (${problemCount})` : 'Problems'],
              ['disabled', 'Disabled'],
            ]}
            onChange={(next) => setState(next as State)}
          />
          <div className={styles.more}>
            <Select
              bare
              label="Order"
              value={order}
              options={[
                ['attention', 'Problems first'],
                ['name', 'By name'],
                ['calls', 'Most calls first'],
                ['tools', 'Most tools first'],
              ]}
              onChange={(next) => setOrder(next as Order)}
            />
            <BulkActions shown={shown} />
          </div>
        </search>
      )}
      {shown.length === 0 && <p className={`${styles.none} muted`}>No matching servers.</p>}
      {/* The links keep their own focus; the arrow keys are a shortcut between them. */}
      <ul ref={list} className={rowsStyles.rows} aria-label="Servers" onKeyDown={moveFocus}>
        {shown.map((server) => (
          <li key={server.id}>
            <ServerRow server={server} isSelected={server.id === selectedId} />
          </li>
        ))}
      </ul>
    </>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const index = links.findIndex((link) => link.matches(':focus'));
  const targets: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: links.length - 1 };
  const target = links[targets[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function ServerRow({ server, isSelected }: { server: ServerView; isSelected: boolean }) {
  return (
    <a
      className={`${rowsStyles.row} ${rowsStyles.rowServer}`}
      href={hrefOf('servers', server.id)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span className={rowsStyles.rowLine}>
        <span className={rowsStyles.rowTitle}>
          <VisibleText text={server.id} />
        </span>
        <StatusBadge server={server} />
      </span>
      <span className={rowsStyles.rowLine}>
        <span className={`${rowsStyles.rowSub} mono`}>
          <VisibleText text={server.target} />
        </span>
        <span className={rowsStyles.rowCount}>{toolCount(server)}</span>
      </span>
      {server.failure && server.signIn !== 'needed' && (
        <span className={`${rowsStyles.rowProblem} ${styles.problem}`}>
          <VisibleText text={firstLine(server.failure.message)} />
        </span>
      )}
    </a>
  );
}

function hasState({ status, signIn }: ServerView, state: State): boolean {
  if (state === 'all') return true;
  return state === 'disabled' ? status === 'disabled' : status === 'failed' || signIn === 'needed';
}

/** True if every word occurs in the name, command or URL. */
function matchesText({ id, target }: ServerView, text: string): boolean {
  const haystack = `${id} ${target}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

/** Shows only the first line; the stack trace is in the details. */
function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

function toolCount({ toolCount: total, enabledCount }: ServerView): string {
  if (total === 0) return '';
  return enabledCount === total ? count(total, 'tool') : `${enabledCount} of ${count(total, 'tool')} enabled`;
}
