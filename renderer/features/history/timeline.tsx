/**
 * The duration of a call, split into the wait for the user and the remaining time (the server's if the call reached it).
 */
import type { CallRecord } from '../../../shared/model/call.ts';
import { duration } from '../../components/format.ts';
import { t } from '../../text.tsx';
import styles from './timeline.module.css';

export function Timeline({ call: { durationMs, waitedMs = 0, outcome } }: { call: CallRecord }) {
  const reachedServer = outcome !== 'refused';
  const serverMs = Math.max(0, durationMs - waitedMs);
  const share = (ms: number) => `${(100 * ms) / Math.max(1, durationMs)}%`;
  return (
    <>
      <h3>{t('Time')}</h3>
      <div className={styles.bar} aria-hidden>
        {waitedMs > 0 && <span className={styles.user} style={{ flexBasis: share(waitedMs) }} />}
        {reachedServer && <span className={styles.server} style={{ flexBasis: share(serverMs) }} />}
      </div>
      <dl className={styles.legend}>
        {waitedMs > 0 && (
          <div className={styles.userKey}>
            <dt>{t('Waiting for you')}</dt>
            <dd>{duration(waitedMs)}</dd>
          </div>
        )}
        {reachedServer && (
          <div className={styles.serverKey}>
            <dt>{t('Server')}</dt>
            <dd>{duration(serverMs)}</dd>
          </div>
        )}
        <div>
          <dt>{t('Total')}</dt>
          <dd>{duration(durationMs)}</dd>
        </div>
      </dl>
    </>
  );
}
