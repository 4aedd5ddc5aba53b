/** The calls in progress, followed by the most recent ones. */
import { X } from 'lucide-react';
import { useState } from 'react';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { outcomeLabel, outcomeTone } from '../../../shared/outcome-label.ts';
import { IconButton } from '../../components/button.tsx';
import { ClientLogo } from '../../components/client-logo.tsx';
import { ClientName, useClientName } from '../../components/client-name.tsx';
import { clock, duration } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useNow } from '../../components/use-now.ts';
import { noHistoryFilter } from '../../stores/history-view.ts';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { groupRecords, type HistoryEntry, toneColors } from '../history/entries.ts';
import styles from './home.module.css';

const shownEntries = 6;

export function Now() {
  const { activeCalls, recentRecords } = useStores();
  const active = useResource(activeCalls).data ?? [];
  const records = useResource(recentRecords).data;
  const entries = groupRecords(records ?? []).slice(0, shownEntries);
  return (
    <Section
      title={t('Now')}
      aside={
        <span className={styles.nowLinks}>
          <a href={hrefOf('history', 'story')}>{t('Story of today')}</a>
          <a href={hrefOf('history')}>{t('All activity')}</a>
        </span>
      }
    >
      {active.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Calls in progress')}>
          {active.map((call) => (
            <li key={call.id}>
              <ActiveRow call={call} />
            </li>
          ))}
        </ul>
      )}
      {records && entries.length === 0 && active.length === 0 && (
        <p className="muted">{t('No calls yet. They appear here when a client runs a tool.')}</p>
      )}
      {entries.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Recent calls')}>
          {entries.map((entry) => (
            <li key={entry.main.id}>
              <RecentRow entry={entry} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function ActiveRow({
  call: { id, startedAt, client, server, tool, isWaitingForUser, progress },
}: {
  call: ActiveCall;
}) {
  const { link, toasts } = useStores();
  const nameOf = useClientName();
  const [isCanceling, setCanceling] = useState(false);
  const elapsedMs = Math.max(0, useNow(500) - startedAt);
  return (
    <div className={styles.call}>
      <ClientLogo name={nameOf(client)} />
      <CallText client={client} server={server} tool={tool} />
      <IconButton
        label={t('Cancel {tool}', { tool })}
        icon={X}
        disabled={isCanceling}
        onClick={() => {
          setCanceling(true);
          void toasts.attempt(() => link.call('calls.cancel', { id }));
        }}
      />
      <progress
        className={styles.callBar}
        aria-label={t('Progress of {tool}', { tool })}
        max={progress?.total}
        value={progress?.total ? progress.done : undefined}
      />
      <p className={`${styles.callBar} muted small`}>
        {isWaitingForUser ? t('Waiting for you') : t('Running')} · {duration(Math.floor(elapsedMs / 1000) * 1000)}
        {progress?.message && (
          <>
            {' · '}
            <VisibleText text={progress.message} />
          </>
        )}
      </p>
    </div>
  );
}

function CallText({ client, server, tool }: Pick<ActiveCall, 'client' | 'server' | 'tool'>) {
  return (
    <div className={styles.callMain}>
      <p className="ellipsis">
        <VisibleText as="strong" text={tool || server} />
      </p>
      <p className="ellipsis muted small">
        {client ? <ClientName name={client} /> : 'Toolkeep'} → <VisibleText text={server} />
      </p>
    </div>
  );
}

function RecentRow({ entry: { main } }: { entry: HistoryEntry }) {
  const { historyView } = useStores();
  const nameOf = useClientName();
  return (
    <a
      className={`${styles.call} inset-focus`}
      href={hrefOf('history', main.id)}
      onClick={() => historyView.set(noHistoryFilter)}
    >
      <ClientLogo name={main.client ? nameOf(main.client) : 'Toolkeep'} />
      <CallText client={main.client} server={main.server} tool={main.tool} />
      <div className={styles.callEnd}>
        <VisibleText as="span" className={`status ${toneColors[outcomeTone(main)]}`} text={outcomeLabel(main, t)} />
        <p className="muted small">
          <time dateTime={new Date(main.at).toISOString()}>{clock(main.at)}</time>
          {main.kind === 'call' && ` · ${duration(main.durationMs - (main.waitedMs ?? 0))}`}
        </p>
      </div>
    </a>
  );
}
