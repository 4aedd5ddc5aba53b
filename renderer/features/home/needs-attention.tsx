/** All items that need attention, each with a button that resolves it. */
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { configSummary } from '../../components/config-summary.ts';
import { Section } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Unloaded } from '../../components/states.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './home.module.css';
import { AttentionRow, ClientRow, ConfigRow, NewServersRow, QuestionRow, UpdateRow } from './matters.tsx';

const shownAtFirst = 5;

export function NeedsAttention({ isReady }: { isReady: boolean }) {
  const { questions, attention, installs, installed, newServers, config } = useStores();
  const queue = useStore(questions.state, (state) => state.queue);
  const { data, failure } = useResource(attention);
  const clients =
    useResource(installs).data?.filter(
      ({ state, isProfileMissing }) => state === 'wiped' || state === 'unreadable' || isProfileMissing,
    ) ?? [];
  const found = useResource(newServers).data ?? [];
  const updates = useResource(installed).data ?? [];
  const validation = useResource(config).data?.validation;
  const problems = validation && configSummary(validation);
  const [showsAll, setShowsAll] = useState(false);

  const rows = [
    ...queue.map((question) => <QuestionRow key={`question ${question.id}`} question={question} />),
    ...(problems ? [<ConfigRow key="config" summary={problems} />] : []),
    ...(data ?? []).map((item) => (
      <AttentionRow key={`${item.kind} ${'server' in item ? item.server : ''}`} item={item} />
    )),
    ...clients.map((client) => <ClientRow key={`client ${client.client} ${client.file}`} client={client} />),
    ...updates.flatMap(({ server, origin: { version }, latest }) =>
      latest === undefined || latest === version
        ? []
        : [<UpdateRow key={`update ${server}`} server={server} version={version} latest={latest} />],
    ),
    ...(found.length > 0 ? [<NewServersRow key="new" names={found} />] : []),
  ];
  const shown = showsAll ? rows : rows.slice(0, shownAtFirst);
  return (
    <Section
      title={t('Needs attention')}
      aside={
        rows.length > 0 && (
          <span className="muted small">
            {t('{count, plural, one {# item} other {# items}}', { count: rows.length })}
          </span>
        )
      }
    >
      {!data && (
        <Unloaded failure={failure} label={t('Loading items that need attention')} rows={2} onRetry={attention.load} />
      )}
      {data && rows.length === 0 && (
        <p className={`${styles.good} card`}>
          <CircleCheck className="icon good" aria-hidden />
          {isReady ? t('All good. Nothing needs attention.') : t('Nothing else needs attention.')}
        </p>
      )}
      {rows.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Needs attention')}>
          {shown}
        </ul>
      )}
      {rows.length > shownAtFirst && (
        <button type="button" className="link-button" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('Show less') : t('Show all ({count, number})', { count: rows.length })}
        </button>
      )}
    </Section>
  );
}
