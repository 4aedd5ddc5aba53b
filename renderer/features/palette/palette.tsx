/** The command palette: one field that finds open questions, views, actions, servers and tools. */
import {
  ArrowRight,
  Blocks,
  CornerDownLeft,
  type LucideIcon,
  MessageCircleQuestion,
  Search,
  Server,
  Zap,
} from 'lucide-react';
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useClientName } from '../../components/client-name.tsx';
import { ModalBox } from '../../components/dialog.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import {
  actionEntries,
  goToEntries,
  pastedEntry,
  questionEntries,
  serverEntries,
  toolActionEntries,
  toolEntries,
  whyEntries,
} from './entries.ts';
import { askedWhy, asksForToolAction, isPastedServer, kindLabels, matchEntries, type PaletteEntry } from './match.ts';
import styles from './palette.module.css';

const icons: Record<PaletteEntry['kind'], LucideIcon> = {
  question: MessageCircleQuestion,
  view: ArrowRight,
  action: Zap,
  server: Server,
  tool: Blocks,
};

export function Palette({ onClose }: { onClose(): void }) {
  const stores = useStores();
  const { overlay } = stores;
  const { entries, reasons, toolActions } = useEntries();
  const recent = useStore(overlay.state, (state) => state.recent);
  const find = useCallback(
    (text: string) => {
      if (isPastedServer(text)) return [pastedEntry(stores, text)];
      const asked = askedWhy(text);
      if (asked !== undefined) return matchEntries(reasons(), asked);
      return matchEntries(asksForToolAction(text) ? [...entries, ...toolActions()] : entries, text, recent);
    },
    [stores, entries, reasons, toolActions, recent],
  );
  const [query, setQuery] = useState('');
  const deferred = useDeferredValue(query);
  const shown = useMemo(() => find(deferred), [find, deferred]);
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const current = Math.min(index, shown.length - 1);

  useEffect(() => {
    list.current?.querySelector(`[data-index="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  function run(entry: PaletteEntry | undefined): void {
    if (!entry) return;
    // Run the entry after closing, because closing restores the focus.
    onClose();
    overlay.used(entry.id);
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      ArrowDown: (current + 1) % Math.max(1, shown.length),
      ArrowUp: (current - 1 + shown.length) % Math.max(1, shown.length),
      PageDown: Math.min(shown.length - 1, current + 8),
      PageUp: Math.max(0, current - 8),
    };
    const target = moves[event.key];
    if (target !== undefined) setIndex(target);
    // The list may lag behind the typed text.
    else if (event.key === 'Enter') run(deferred === query ? shown[current] : find(query)[0]);
    else return;
    event.preventDefault();
  }
  return (
    <ModalBox className={styles.palette} label={t('Command palette')} onEscape={onClose} focusFirstField>
      <div className={styles.field}>
        <Search className="icon faint" aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label={t('Search views, actions, servers and tools')}
          placeholder={t('Search views, actions, servers and tools')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? `${id}-${current}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden>{t('Esc')}</kbd>
      </div>
      <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label={t('Results')}>
        {shown.map((entry, at) => (
          <Option
            key={entry.id}
            id={`${id}-${at}`}
            index={at}
            entry={entry}
            isCurrent={at === current}
            onPoint={() => setIndex(at)}
            onRun={() => run(entry)}
          />
        ))}
      </div>
      <p className={shown.length === 0 ? styles.none : 'sr-only'} role="status">
        {shown.length === 0
          ? t('No matches.')
          : deferred === ''
            ? ''
            : t('{count, plural, one {# result} other {# results}}', { count: shown.length })}
      </p>
    </ModalBox>
  );
}

interface OptionProps {
  id: string;
  index: number;
  entry: PaletteEntry;
  isCurrent: boolean;
  onPoint(): void;
  onRun(): void;
}

function Option({ id, index, entry: { kind, label, detail }, isCurrent, onPoint, onRun }: OptionProps) {
  const Icon = icons[kind];
  return (
    // The field has the focus and handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      data-index={index}
      role="option"
      aria-selected={isCurrent}
      className={styles.option}
      onPointerMove={onPoint}
      onClick={onRun}
    >
      <Icon className="icon faint" aria-hidden />
      <VisibleText as="span" className={`${styles.label} ellipsis`} text={label} />
      {detail && <VisibleText as="span" className={`${styles.detail} ellipsis muted small`} text={detail} />}
      {isCurrent ? (
        <CornerDownLeft className="icon faint" aria-hidden />
      ) : (
        <span className={`${styles.group} muted small`}>{kindLabels[kind]}</span>
      )}
    </div>
  );
}

interface Entries {
  entries: PaletteEntry[];
  /** For queries that ask why a tool failed or was refused. */
  reasons(): PaletteEntry[];
  /** For queries that ask for an action of a tool. */
  toolActions(): PaletteEntry[];
}

function useEntries(): Entries {
  const stores = useStores();
  const isPaused = useResource(stores.status).data?.paused === true;
  const servers = useResource(stores.servers).data;
  const tools = useResource(stores.tools.list).data;
  const queue = useStore(stores.questions.state, (state) => state.queue);
  const clientName = useClientName();
  const entries = useMemo(
    () => [
      ...questionEntries(stores, queue, clientName),
      ...goToEntries(),
      ...actionEntries(stores, isPaused),
      ...serverEntries(stores, servers ?? []),
      ...toolEntries(tools ?? []),
    ],
    [stores, isPaused, servers, tools, queue, clientName],
  );
  const reasons = useCallback(() => whyEntries(stores, tools ?? []), [stores, tools]);
  const toolActions = useCallback(() => toolActionEntries(stores, tools ?? []), [stores, tools]);
  return { entries, reasons, toolActions };
}
