/** The live log of a server: its output, its MCP messages, and its starts and stops. */
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
import { FilterInput, Segments } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-block.tsx';
import { saveFile } from '../../components/save-file.ts';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { Empty, Unloaded } from '../../components/states.tsx';
import { FullText, VisibleText } from '../../components/untrusted-text.tsx';
import { VirtualList } from '../../components/virtual-list.tsx';
import { hasWords, wordsOf } from '../../components/words.ts';
import { useServerLog } from '../../stores/server-log.ts';
import { t } from '../../text.tsx';
import styles from './server-log.module.css';

const rowHeight = 28;
const kinds: Record<LogKind, { icon: LucideIcon; label: string }> = {
  state: { icon: CircleDot, label: 'Toolkeep' },
  // untranslated: names of streams
  stderr: { icon: TextQuote, label: 'stderr' },
  // untranslated: names of streams
  stdout: { icon: TextQuote, label: 'stdout' },
  sent: { icon: ArrowUpRight, label: t('Sent') },
  received: { icon: ArrowDownLeft, label: t('Received') },
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
  if (!entries || !all) return <Unloaded failure={failure} label={t('Loading the log')} rows={6} />;
  const selected = shown.find(({ id }) => id === selectedId);
  const newCount = paused ? entries.filter(({ id }) => id > (paused.at(-1)?.id ?? 0)).length : 0;
  return (
    <div className={styles.log}>
      <search className={`${styles.tools} line`}>
        <FilterInput label={t('Filter the log')} value={text} onChange={setText} />
        <Segments
          label={t('Entries')}
          value={part}
          options={[
            ['all', t('All')],
            ['output', t('Output')],
            ['messages', t('Messages')],
            ['errors', t('Errors')],
          ]}
          onChange={(next) => setPart(next as LogPart)}
        />
        <span className={styles.actions}>
          <Button look="quiet" icon={paused ? Play : Pause} onClick={() => setPaused(paused ? undefined : entries)}>
            {paused ? t('Continue') : t('Pause')}
          </Button>
          <CopyButton text={logText(shown)} label={t('Copy log')} />
          <Button
            look="quiet"
            icon={Download}
            onClick={() => saveFile(`${server.replaceAll(/[^\w.-]+/g, '-')}.log`, 'text/plain', `${logText(shown)}\n`)}
          >
            {t('Save')}
          </Button>
        </span>
      </search>
      {newCount > 0 && (
        <p className={`${styles.paused} muted small`} role="status">
          {t('Paused. {count, plural, one {# new entry} other {# new entries}}.', { count: newCount })}
        </p>
      )}
      {shown.length === 0 ? (
        <Empty
          icon={ScrollText}
          title={all.length === 0 ? t('Nothing logged yet') : t('No matches')}
          text={
            all.length === 0
              ? t('The server’s output and the messages on its connection appear here.')
              : t('No log entry matches the filter.')
          }
        />
      ) : (
        <div className={styles.list}>
          <VirtualList
            label={t('Log')}
            items={shown}
            keyOf={keyOf}
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

const keyOf = ({ id }: LogEntry): string => String(id);

function Row({ entry: { at, kind, text, isError = false } }: { entry: LogEntry }) {
  const { icon: Icon, label } = kinds[kind];
  return (
    <div className={isError ? `${styles.row} bad` : styles.row}>
      <time className="muted" dateTime={new Date(at).toISOString()}>
        {time.format(at)}
      </time>
      <Icon
        className={isError ? 'icon bad' : 'icon faint'}
        role="img"
        aria-label={isError ? t('{label}, error', { label }) : label}
      />
      <VisibleText as="span" className={`${styles.text} mono`} text={text} />
    </div>
  );
}

function Entry({ entry, onClose }: { entry: LogEntry; onClose(): void }) {
  const text = entry.message ? JSON.stringify(JSON.parse(entry.message), null, 2) : entry.text;
  return (
    <section className={styles.entry} aria-label={t('Log entry')}>
      <header>
        <strong>{kinds[entry.kind].label}</strong>
        {entry.isShortened && <span className="muted small">{t('Only the beginning of this message is kept.')}</span>}
        <CopyButton text={text} label={t('Copy entry')} />
        <IconButton label={t('Close entry')} icon={X} onClick={onClose} />
      </header>
      <ScrollRegion className="inset-focus" label={t('Entry text')}>
        <FullText text={text} />
      </ScrollRegion>
    </section>
  );
}

type LogPart = 'all' | 'output' | 'messages' | 'errors';

const parts: Record<LogKind, LogPart> = {
  state: 'output',
  stderr: 'output',
  stdout: 'output',
  sent: 'messages',
  received: 'messages',
};

/** Every word of `text` must occur in the entry. */
function filterLog(entries: readonly LogEntry[], part: LogPart, text: string): LogEntry[] {
  const words = wordsOf(text);
  return entries.filter((entry) => {
    if (part === 'errors' ? !entry.isError : part !== 'all' && parts[entry.kind] !== part) return false;
    if (words.length === 0) return true;
    const haystack = `${entry.text} ${entry.message ?? ''}`.toLowerCase();
    return hasWords(haystack, words);
  });
}

function logText(entries: readonly LogEntry[]): string {
  return entries
    .map(({ at, kind, text, message }) =>
      [new Date(at).toISOString(), kind.padEnd(8), text, message].filter(Boolean).join(' '),
    )
    .join('\n');
}
