/** How servers start: servers that need attention, each with a fix, and the status of all others. */
import { CircleCheck } from 'lucide-react';
import type { Attention } from '../../../shared/model/home.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import { StatusBadge } from '../../components/badge.tsx';
import rowsStyles from '../../components/rows.module.css';
import { ServerMark } from '../../components/server-mark.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { AttentionRow } from '../home/matters.tsx';
import { AsksSummary } from './asks.tsx';
import styles from './started-servers.module.css';

type StartProblem = Extract<Attention, { kind: 'server-failed' | 'sign-in' }>;

/** The servers that did not start, or that wait for a sign-in. */
export function useStartProblems(): StartProblem[] {
  const { attention } = useStores();
  const all = useResource(attention).data ?? [];
  return all.filter((item) => item.kind === 'server-failed' || item.kind === 'sign-in');
}

/** A server whose tools are known has started once, and starts again with the next call. */
const isRead = ({ status, toolCount }: ServerView) => toolCount > 0 && (status === 'ready' || status === 'idle');

interface StartedServersProps {
  problems: readonly StartProblem[];
  /** The servers without problems. */
  servers: readonly ServerView[];
  /** The accessible name of the list of servers. */
  label: string;
}

export function StartedServers({ problems, servers, label }: StartedServersProps) {
  return (
    <>
      {problems.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={t('Needs attention')}>
          {problems.map((item) => (
            <AttentionRow key={`${item.kind} ${item.server}`} item={item} />
          ))}
        </ul>
      )}
      {servers.length > 0 && (
        <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`} aria-label={label}>
          {servers.map((server) => (
            <li key={server.id} className={styles.server}>
              <ServerMark name={server.id} icon={server.icon} />
              <span className={rowsStyles.rowMain}>
                <VisibleText as="span" className={rowsStyles.rowTitle} text={server.id} />
                <span className="muted small">
                  {server.toolCount > 0 && (
                    <>
                      {t('{count, plural, one {# tool} other {# tools}}', { count: server.toolCount })}
                      {' · '}
                      <AsksSummary server={server.id} />
                    </>
                  )}
                </span>
              </span>
              {isRead(server) ? (
                <span className="status good">
                  <CircleCheck className="icon" aria-hidden />
                  {t('Ready')}
                </span>
              ) : (
                <StatusBadge server={server} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
