/** The start page: the next step, items that need attention, and current activity. */
import { Bell, Pause, Timer } from 'lucide-react';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { Button } from '../../components/button.tsx';
import { toolsEnabled } from '../../components/format.ts';
import { Menu } from '../../components/menu.tsx';
import { NextStep } from '../../components/next-step.tsx';
import { Page } from '../../components/page.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { timedPauses } from '../../components/timed-pauses.ts';
import { isUnread } from '../../stores/notifications.ts';
import { useResource } from '../../stores/resource.ts';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './home.module.css';
import { LiveMap } from './live-map.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { Now } from './now.tsx';
import { Usage } from './usage.tsx';

/** Shown while Toolkeep runs: the banner of a paused Toolkeep has the button that resumes it. */
function PauseButtons() {
  const { link, toasts } = useStores();
  const pause = (minutes?: number) => void toasts.attempt(() => link.call('core.pause', { paused: true, minutes }));
  return (
    <>
      <Button icon={Pause} onClick={() => pause()}>
        {t('Pause')}
      </Button>
      <Menu
        label={t('Pause for a time')}
        icon={Timer}
        items={timedPauses.map(({ label, minutes }) => ({ label, icon: Timer, onSelect: () => pause(minutes()) }))}
      />
    </>
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

/** The next step while agents cannot use any tool. */
function nextStep(
  { setupStep, clients }: CommandOutput<'core.status'>,
  servers: readonly ServerView[],
  installs: readonly InstallStatus[] | undefined,
) {
  if (setupStep !== 'done')
    return { text: t('Setup is not finished.'), label: t('Continue setup'), href: hrefOf('welcome') };
  if (servers.length === 0)
    return { text: t('Agents have no tools yet.'), label: t('Add a server'), href: hrefOf('servers') };
  if (clients.length === 0 && installs?.every(({ state }) => state !== 'installed'))
    return { text: t('No client uses Toolkeep yet.'), label: t('Connect a client'), href: hrefOf('clients') };
  return undefined;
}

export function HomeView() {
  const { status, servers, installs } = useStores();
  const core = useResource(status);
  const list = useResource(servers);
  const clients = useResource(installs);
  const failure = core.failure ?? list.failure;
  const isLoaded = core.data && list.data;
  const next = core.data && list.data && nextStep(core.data, list.data, clients.data);
  return (
    <Page
      title={t('Home')}
      lead={
        core.data &&
        !core.data.paused &&
        t('Running · {tools}', { tools: toolsEnabled(core.data.enabledTools, core.data.tools) })
      }
      actions={
        core.data && (
          <>
            <NotificationsLink />
            {!core.data.paused && <PauseButtons />}
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
          {next && <NextStep {...next} />}
          <LiveMap servers={list.data} />
          <div className={styles.columns}>
            <div className="sections">
              <NeedsAttention isReady={next === undefined} />
              <Now />
            </div>
            <Usage />
          </div>
        </>
      )}
    </Page>
  );
}
