/** The servers that were removed in the last 30 days, which the user can put back or delete permanently. */
import { ChevronRight, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Day } from '../../components/day.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import rowsStyles from '../../components/rows.module.css';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useResource } from '../../stores/resource.ts';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './server-list.module.css';

export function RemovedServers() {
  const { link, toasts, removedServers } = useStores();
  const removed = useResource(removedServers).data ?? [];
  const [forgetting, setForgetting] = useState<string>();
  if (removed.length === 0) return null;
  const restore = (server: string) =>
    toasts.attempt(() => link.call('servers.restore', { server }).then(() => navigate('servers', server)));
  const forget = (server: string) =>
    toasts.attempt(() => link.call('servers.forget', { server }), t('Deleted {server} permanently.', { server }));
  return (
    <details className={`disclosure ${styles.removed}`}>
      <summary>
        <ChevronRight className="icon" aria-hidden />
        {t('Recently removed ({count, number})', { count: removed.length })}
      </summary>
      <ul className={rowsStyles.rows} aria-label={t('Recently removed')}>
        {removed.map(({ server, target, removedAt }) => (
          <li key={server} className={rowsStyles.row}>
            <span className={rowsStyles.rowMain}>
              <span className={rowsStyles.rowLine}>
                <VisibleText as="span" className={rowsStyles.rowTitle} text={server} />
                <span className="muted small">
                  <Day at={removedAt} />
                </span>
              </span>
              <VisibleText as="span" className="ellipsis muted small mono" text={target} />
            </span>
            <Button
              icon={RotateCcw}
              aria-label={t('Put back {server}', { server })}
              onClick={() => void restore(server)}
            >
              {t('Put back')}
            </Button>
            <IconButton
              icon={Trash2}
              label={t('Delete {server} permanently', { server })}
              onClick={() => setForgetting(server)}
            />
          </li>
        ))}
      </ul>
      {forgetting !== undefined && (
        <ConfirmDialog
          title={t('Delete {server} permanently?', { server: forgetting })}
          action={t('Delete')}
          onClose={() => setForgetting(undefined)}
          onConfirm={() => void forget(forgetting)}
        >
          {t('Its configuration, its secrets and the files that it kept are deleted.')}
        </ConfirmDialog>
      )}
    </details>
  );
}
