/** One entry of the history: a call with its questions, or a single question or decision. */
import { KeyRound, type LucideIcon, MessageCircleQuestion, ShieldCheck, ToggleRight, Wrench } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RecordKind } from '../../../shared/model/call.ts';
import { outcomeLabel, outcomeTone } from '../../../shared/outcome-label.ts';
import { ClientLogo } from '../../components/client-logo.tsx';
import { useClientName } from '../../components/client-name.tsx';
import { dotted, duration, secondOfDay } from '../../components/format.ts';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { t } from '../../text.tsx';
import { type HistoryEntry, kindLabels, toneColors } from './entries.ts';
import { EntryDetails } from './entry-details.tsx';
import styles from './history.module.css';

const kindIcons: Record<RecordKind, LucideIcon> = {
  call: Wrench,
  approval: ShieldCheck,
  question: MessageCircleQuestion,
  'enable-request': ToggleRight,
  grant: KeyRound,
};

/** `isOpened`: the entry is open and in sight at first. */
export function EntryRow({ entry, isOpened }: { entry: HistoryEntry; isOpened: boolean }) {
  const [isOpen, setOpen] = useState(isOpened);
  const row = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpened) return;
    setOpen(true);
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector('summary')?.focus();
  }, [isOpened]);
  const nameOf = useClientName();
  const { main } = entry;
  const Icon = kindIcons[main.kind];
  const tone = outcomeTone(main);
  return (
    <details ref={row} open={isOpen} className={styles.record} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={`${rowsStyles.rowSummary} inset-focus`}>
        {main.kind === 'call' && main.client ? (
          <ClientLogo name={nameOf(main.client)} label={kindLabels.call} />
        ) : (
          <Icon className="icon faint" role="img" aria-label={kindLabels[main.kind]} />
        )}
        <span className={styles.recordMain}>
          <VisibleText
            as="span"
            className={styles.recordTool}
            text={main.tool || main.server || kindLabels[main.kind]}
          />
          <VisibleText as="span" className="muted small" text={dotted([main.server, nameOf(main.client)])} />
        </span>
        <VisibleText
          as="span"
          className={`${styles.recordOutcome} ${toneColors[tone]}`}
          data-tone={tone}
          text={outcomeLabel(main, t)}
        />
        <span className={`${styles.recordTime} muted small`}>
          <time dateTime={new Date(main.at).toISOString()}>{secondOfDay(main.at)}</time>
          {main.kind === 'call' && ` · ${duration(main.durationMs - (main.waitedMs ?? 0))}`}
        </span>
      </summary>
      {isOpen && <EntryDetails entry={entry} />}
    </details>
  );
}
