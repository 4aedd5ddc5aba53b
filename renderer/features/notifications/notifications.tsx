/** The notifications by day, each with one next step. */
import { BellOff, CheckCheck, Trash2 } from 'lucide-react';
import { useStore } from 'zustand';
import type { Notification } from '../../../shared/model/notification.ts';
import { Button } from '../../components/button.tsx';
import { Segments } from '../../components/controls.tsx';
import { Day } from '../../components/day.tsx';
import { dayOf } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import rowsStyles from '../../components/rows.module.css';
import { Empty, Unloaded } from '../../components/states.tsx';
import { isUnread } from '../../stores/notifications.ts';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { NotificationRow } from './notification-row.tsx';
import styles from './notifications.module.css';

export function NotificationsView() {
  const { link, toasts, notifications, notificationList } = useStores();
  const { data, failure } = useResource(notifications);
  const { show } = useStore(notificationList.state);
  const unread = data?.filter(isUnread) ?? [];
  const read = data?.filter((one) => !isUnread(one)) ?? [];
  const shown = show === 'unread' ? unread : (data ?? []);

  const clear = () => void toasts.attempt(() => link.call('notifications.clear', { ids: read.map(({ id }) => id) }));
  return (
    <Page
      title={t('Notifications')}
      lead={
        data && data.length > 0
          ? unread.length > 0
            ? t('{count, number} unread', { count: unread.length })
            : t('All read')
          : undefined
      }
      actions={
        data &&
        data.length > 0 && (
          <>
            <Button
              icon={CheckCheck}
              disabled={unread.length === 0}
              onClick={() => void toasts.attempt(() => link.call('notifications.read', {}))}
            >
              {t('Mark all as read')}
            </Button>
            <Button icon={Trash2} disabled={read.length === 0} onClick={clear}>
              {t('Clear read')}
            </Button>
          </>
        )
      }
    >
      {!data && <Unloaded failure={failure} label={t('Loading notifications')} onRetry={notifications.load} />}
      {data?.length === 0 && (
        <Empty
          icon={BellOff}
          title={t('No notifications')}
          text={t(
            'Unanswered questions, failed servers, held tools and updates appear here and stay until you clear them.',
          )}
        />
      )}
      {data && data.length > 0 && (
        <>
          <div className="line">
            <Segments
              label={t('Show')}
              value={show}
              options={[
                ['all', t('All')],
                ['unread', unread.length > 0 ? t('Unread ({count, number})', { count: unread.length }) : t('Unread')],
              ]}
              onChange={(next) => notificationList.set({ show: next as 'all' | 'unread' })}
            />
          </div>
          {shown.length === 0 ? (
            <Empty icon={CheckCheck} title={t('No unread notifications')}>
              <Button onClick={() => notificationList.set({ show: 'all' })}>
                {t('Show {count, plural, one {# earlier notification} other {# earlier notifications}}', {
                  count: data.length,
                })}
              </Button>
            </Empty>
          ) : (
            <Days notifications={shown} />
          )}
        </>
      )}
    </Page>
  );
}

function Days({ notifications }: { notifications: readonly Notification[] }) {
  const days = Map.groupBy(notifications, ({ at }) => dayOf(at));
  return Array.from(days, ([day, list]) => (
    <section key={day} className={styles.day} aria-labelledby={`day-${list[0]?.at}`}>
      <h2 id={`day-${list[0]?.at}`}>
        <Day at={list[0]?.at ?? 0} />
      </h2>
      <ul className={`${rowsStyles.rows} ${rowsStyles.rowsCard}`}>
        {list.map((one) => (
          <NotificationRow key={one.id} notification={one} />
        ))}
      </ul>
    </section>
  ));
}
