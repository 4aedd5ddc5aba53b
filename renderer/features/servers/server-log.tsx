/** The live log of a server: its output, its MCP messages, and its starts and ends. */
import {
  ArrowDownLeft,
  ArrowUpRight,
  CircleDot,
  Download,
  type LucideIcon,
  Pause,
  Play,
  ScrollText,
  TextQuote,
  X,
} from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { LogEntry, LogKind } from '../../../shared/model/server-log.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Segments } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import { count } from '../../components/format.ts';
import { saveFile } from '../../components/save-file.ts';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Empty, FailureBox, Skeleton } from '../../components/states.tsx';
import { FullText, VisibleText } from '../../components/untrusted-text.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { useServerLog } from '../../stores/server-log.ts';
import { filterLog, type LogPart, logText } from './log-filter.ts';
import styles from './server-log.module.css';

const rowHeight = 28;
const kinds: Record<LogKind, { icon: LucideIcon; label: string }> = {
  state: { icon: CircleDot, label: 'Gatehouse' },
  stderr: { icon: TextQuote, label: 'stderr' },
  stdout: { icon: TextQuote, label: 'stdout' },
  sent: { icon: ArrowUpRight, label: 'Sent' },
  received: { icon: ArrowDownLeft, label: 'Received' },
};
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function ServerLog({ server }: { server: string }) {
  const { entries, failure } = useServerLog(server);
  const [part, setPart] = useState<LogPart>('all');
  const [text, setText] = useState('');
  const [paused, setPaused] = useState<readonly LogEntry[]>();
  const [selectedId, setSelectedId] = useState<number>();
  const all = paused ?? entries;
  const deferredText = useDeferredValue(text);
  const shown = useMemo(() => filterLog(all ?? [], part, deferredText), [all, part, deferredText]);
  if (!entries || !all) return failure ? <FailureBox failure={failure} /> : <Skeleton label="the log" rows={6} />;
  const selected = shown.find(({ id }) => id === selectedId);
  const newCount = paused ? entries.filter(({ id }) => id > (paused.at(-1)?.id ?? 0)).length : 0;
  return (
    <div className={styles.log}>
      <search className={styles.tools}>
        <input
          className="input"
          type="search"
          aria-label="Filter the log"
          placeholder="Filter the log"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Segments
          label="Entries"
          value={part}
          options={[
            ['all', 'All'],
            ['output', 'Output'],
            ['messages', 'Messages'],
            ['errors', 'Errors'],
          ]}
          onChange={(next) => setPart(next as LogPart)}
        />
        <span className={styles.actions}>
          <Button look="quiet" icon={paused ? Play : Pause} onClick={() => setPaused(paused ? undefined : entries)}>
            {paused ? 'Continue' : 'Pause'}
          </Button>
          <CopyButton text={logText(shown)} label="the log" />
          <Button
            look="quiet"
            icon={Download}
            onClick={() => saveFile(`${server.replaceAll(/[^\w.-]+/g, '-')}.log`, 'text/plain', `${logText(shown)}\n`)}
          >
            Save
          </Button>
        </span>
      </search>
      {newCount > 0 && (
        <p className={`${styles.paused} muted small`} role="status">
          Paused. {count(newCount, 'new entry', 'new entries')}.
        </p>
      )}
      {shown.length === 0 ? (
        <Empty icon={ScrollText} title={all.length === 0 ? 'Nothing logged yet' : 'No matches'}>
          <p>
            {all.length === 0
              ? 'The server’s output and the messages on its connection appear here.'
              : 'No log entry matches the filter.'}
          </p>
        </Empty>
      ) : (
        <div className={styles.list}>
          <VirtualList
            label="Log"
            items={shown}
            keyOf={({ id }) => String(id)}
            selected={selected && String(selected.id)}
            onSelect={({ id }) => setSelectedId(id)}
            render={(entry) => <Row entry={entry} />}
            rowHeight={rowHeight}
            followsEnd={!paused}
          />
        </div>
      )}
      {selected && <Entry entry={selected} onClose={() => setSelectedId(undefined)} />}
    </div>
  );
}

function Row({ entry: { at, kind, text, isError = false } }: { entry: LogEntry }) {
  const { icon: Icon, label } = kinds[kind];
  return (
    <div className={isError ? `${styles.row} ${styles.rowBad}` : styles.row}>
      <time className="muted" dateTime={new Date(at).toISOString()}>
        {time.format(at)}
      </time>
      <Icon className="icon" role="img" aria-label={isError ? `${label}, error` : label} />
      <span className={`${styles.text} mono`}>
        <VisibleText text={text} />
      </span>
    </div>
  );
}

function Entry({ entry, onClose }: { entry: LogEntry; onClose(): void }) {
  const text = entry.message ? JSON.stringify(JSON.parse(entry.message), null, 2) : entry.text;
  return (
    <section className={styles.entry} aria-label="Log entry">
      <header>
        <strong>{kinds[entry.kind].label}</strong>
        {entry.isShortened && <span className="muted small">Only the beginning of this message is kept.</span>}
        <CopyButton text={text} label="the entry" />
        <IconButton label="Close the entry" icon={X} onClick={onClose} />
      </header>
      <ScrollRegion label="Text of the entry">
        <FullText text={text} />
      </ScrollRegion>
    </section>
  );
}
