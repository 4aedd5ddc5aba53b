/** One entry of the history: a call with its questions, or a single question or decision. */
import { KeyRound, type LucideIcon, MessageCircleQuestion, ShieldCheck, ToggleRight, Wrench } from 'lucide-react';
import type { RecordKind } from '../../../shared/model/call.ts';
import { outcomeLabel, outcomeTone } from '../../../shared/outcome-label.ts';
import { CopyButton } from '../../components/copy-block.tsx';
import { clock, duration } from '../../components/format.ts';
import statesStyles from '../../components/states.module.css';
import { FoldableText, VisibleText } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import type { HistoryEntry } from './entries.ts';
import styles from './history.module.css';

const kindIcons: Record<RecordKind, LucideIcon> = {
  call: Wrench,
  approval: ShieldCheck,
  question: MessageCircleQuestion,
  'enable-request': ToggleRight,
  grant: KeyRound,
};
const kindLabels: Record<RecordKind, string> = {
  call: 'Call',
  approval: 'Approval',
  question: 'Question',
  'enable-request': 'Request to enable',
  grant: 'Grant',
};
const toneStyles = {
  success: styles.recordOutcome,
  neutral: `${styles.recordOutcome} ${styles.recordNeutral}`,
  warning: `${styles.recordOutcome} ${styles.recordNeutral}`,
  danger: `${styles.recordOutcome} ${styles.recordBad}`,
};

export function EntryRow({ entry: { main, records } }: { entry: HistoryEntry }) {
  const Icon = kindIcons[main.kind];
  const tone = outcomeTone(main);
  const related = records.filter((record) => record !== main);
  return (
    <details className={styles.record}>
      <summary>
        <Icon className="icon" role="img" aria-label={kindLabels[main.kind]} />
        <span className={styles.recordMain}>
          <span className={styles.recordTool}>
            <VisibleText text={main.tool || main.server || kindLabels[main.kind]} />
          </span>
          <span className="muted small">
            <VisibleText text={[main.server, main.client].filter(Boolean).join(' · ')} />
          </span>
        </span>
        <span className={toneStyles[tone]} data-tone={tone}>
          <VisibleText text={outcomeLabel(main)} />
        </span>
        <span className={`${styles.recordTime} muted small`}>
          <time dateTime={new Date(main.at).toISOString()}>{clock(main.at)}</time>
          {main.kind === 'call' && ` · ${duration(main.durationMs - (main.waitedMs ?? 0))}`}
        </span>
      </summary>
      <div className={styles.recordMore}>
        {related.length > 0 && (
          <ul className={styles.recordRelated}>
            {related.map((record) => (
              <li key={record.id}>
                {kindLabels[record.kind]}: <VisibleText text={outcomeLabel(record)} />{' '}
                <time className="muted" dateTime={new Date(record.at).toISOString()}>
                  {clock(record.at)}
                </time>
              </li>
            ))}
          </ul>
        )}
        {main.waitedMs !== undefined && (
          <p className="muted">Waited {duration(main.waitedMs)} for you, which the time above excludes.</p>
        )}
        {main.code && <p className={statesStyles.failureCode}>{main.code}</p>}
        {main.arguments ? (
          <FoldableText mono text={pretty(main.arguments)} />
        ) : (
          <p className="muted">{main.kind === 'call' ? 'No arguments.' : 'Only the outcome is recorded.'}</p>
        )}
        <div className={styles.recordActions}>
          <CopyButton text={JSON.stringify(records, null, 2)} label="as JSON" />
          {main.server && main.tool && <a href={hrefOf('tools', main.server, main.tool)}>Show the tool</a>}
        </div>
      </div>
    </details>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
