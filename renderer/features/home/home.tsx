/** The start page: whether clients reach the servers, items that need attention, and current activity. */
import { Bell, Pause, Play } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { NextStep } from '../../components/next-step.tsx';
import { Page } from '../../components/page.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { isUnread } from '../../stores/notifications.ts';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { Chain } from './chain.tsx';
import styles from './home.module.css';
import { NeedsAttention } from './needs-attention.tsx';
import { Now } from './now.tsx';
import { Week } from './week.tsx';

function PauseButton({ isPaused }: { isPaused: boolean }) {
  const { link, toasts } = useStores();
  return (
    <Button
      icon={isPaused ? Play : Pause}
      onClick={() => void toasts.attempt(() => link.call('core.pause', { paused: !isPaused }))}
    >
      {isPaused ? t('Resume') : t('Pause')}
    </Button>
  );
}

/** Shown where the navigation has no entry for notifications. */
function NotificationsLink() {
  const unread = useResource(useStores().notifications).data?.filter(isUnread).length ?? 0;
  return (
    <a className={`button button-plain ${styles.notifications}`} href={hrefOf('notifications')}>
      <Bell className="icon" aria-hidden />
      {unread > 0
        ? t('{count, plural, one {# notification} other {# notifications}}', { count: unread })
        : t('Notifications')}
    </a>
  );
}

export function HomeView() {
  const { status, servers, installs } = useStores();
  const core = useResource(status);
  const list = useResource(servers);
  const clients = useResource(installs);
  const failure = core.failure ?? list.failure;
  const isLoaded = core.data && list.data;
  return (
    <Page
      title={t('Home')}
      actions={
        core.data && (
          <>
            <NotificationsLink />
            <PauseButton isPaused={core.data.paused} />
          </>
        )
      }
    >
      {failure && !isLoaded && (
        <FailureBox
          failure={failure}
          onRetry={() => {
            void status.load();
            void servers.load();
          }}
        />
      )}
      {!isLoaded && !failure && <Skeleton label={t('Loading your setup')} />}
      {core.data && list.data && (
        <>
          <Chain status={core.data} servers={list.data} installs={clients.data ?? []} />
          {core.data.setupStep !== 'done' && (
            <NextStep text={t('Setup is not finished.')} label={t('Continue setup')} href={hrefOf('welcome')} />
          )}
          <div className={styles.columns}>
            <div className={styles.column}>
              <NeedsAttention />
              <Now />
            </div>
            <Week />
          </div>
        </>
      )}
    </Page>
  );
}
