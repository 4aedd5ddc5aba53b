/** Banners for the whole window: connection lost, key refused, paused, invalid config file, new version, new servers found. */
import { CirclePause, Download, FileWarning, Hourglass, KeyRound, Play, RotateCw, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import { pageCode } from '../page-code.ts';
import { useResource } from '../stores/resource.ts';
import { hrefOf, useRoute, type View } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';
import { T, t } from '../text.tsx';
import styles from './banner.module.css';
import { Button } from './button.tsx';
import { configSummary } from './config-summary.ts';
import { moment, someOf } from './format.ts';
import statesStyles from './states.module.css';
import { VisibleText } from './untrusted-text.tsx';
import { hasNews, UpdateBanner } from './update-banner.tsx';

export function Banner() {
  const { link } = useStores();
  const isOpen = useStore(link.state, ({ status }) => status === 'open' || status === 'connecting');
  return isOpen ? <StateBanner /> : <ConnectionBanner />;
}

/** The only banner that a prompt window shows. */
export function ConnectionBanner() {
  const { link } = useStores();
  const { status } = useStore(link.state);
  if (status === 'refused') return <Refused />;
  if (status === 'silent')
    return (
      <div className={`${styles.banner} ${styles.bannerBad}`} role="alert">
        <Hourglass className="icon bad" aria-hidden />
        <p>
          <T
            text="<b>Toolkeep is not responding.</b> It is busy or has hung. This page may be out of date."
            b={(text) => <strong>{text}</strong>}
          />
        </p>
      </div>
    );
  if (status !== 'lost') return null;
  return (
    <div className={`${styles.banner} ${styles.bannerBad}`} role="alert">
      <Unplug className="icon bad" aria-hidden />
      <p>
        <T
          text="<b>Toolkeep is not responding.</b> This page may be out of date. Reconnecting…"
          b={(text) => <strong>{text}</strong>}
        />
      </p>
      <Button icon={RotateCw} onClick={link.retryNow}>
        {t('Retry now')}
      </Button>
    </div>
  );
}

/** These views show new servers themselves. */
const viewsWithNewServers: ReadonlySet<View> = new Set(['home', 'import', 'notifications', 'welcome']);

/** Home and the general settings show the problems of the configuration themselves. */
const showsProblems = (view: View, [page]: readonly string[]) =>
  view === 'home' || (view === 'settings' && page === undefined);

function StateBanner() {
  const { link, status, config, toasts, update: updateResource, newServers: newServersResource } = useStores();
  const { data } = useResource(status);
  const newServers = useResource(newServersResource).data;
  const update = useResource(updateResource).data;
  const { view, segments } = useRoute();
  const validation = useResource(config).data?.validation;
  const problems = validation && configSummary(validation);

  if (data?.paused)
    return (
      <div className={styles.banner} role="status">
        <CirclePause className="icon warn" aria-hidden />
        <p>
          {data.pausedUntil === undefined ? (
            <T
              text="<b>Toolkeep is paused.</b> Agents cannot run tools until you resume."
              b={(text) => <strong>{text}</strong>}
            />
          ) : (
            <T
              text="<b>Toolkeep is paused until {time}.</b> Agents cannot run tools before that, unless you resume."
              time={moment(data.pausedUntil)}
              b={(text) => <strong>{text}</strong>}
            />
          )}
        </p>
        <Button icon={Play} onClick={() => void toasts.attempt(() => link.call('core.pause', { paused: false }))}>
          {t('Resume')}
        </Button>
      </div>
    );
  if (problems && !showsProblems(view, segments))
    return (
      <div className={styles.banner} role="status">
        <FileWarning className="icon warn" aria-hidden />
        <p>
          <strong>{problems.title}.</strong> {problems.effect}
        </p>
        <a className="button button-plain" href={hrefOf('settings')}>
          {t('Show problems')}
        </a>
      </div>
    );
  if (hasNews(update)) return <UpdateBanner update={update} />;
  if (newServers && newServers.length > 0 && !viewsWithNewServers.has(view)) return <NewServers names={newServers} />;
  return null;
}

/** Servers that appeared in clients' files since the last scan. */
function NewServers({ names }: { names: readonly string[] }) {
  const { link, toasts, newServers } = useStores();
  return (
    <div className={`${styles.banner} ${styles.bannerPlain}`} role="status">
      <Download className="icon accent" aria-hidden />
      <p>
        <T
          text="<b>{count, plural, one {# new server} other {# new servers}} found in your clients:</b> {names}"
          b={(text) => <strong>{text}</strong>}
          count={names.length}
          names={<VisibleText text={someOf(names)} />}
        />
      </p>
      <span className={styles.bannerActions}>
        <a className="button button-plain" href={hrefOf('import')}>
          {t('Import…')}
        </a>
        <Button
          look="quiet"
          onClick={() => void toasts.attempt(() => link.call('import.dismiss').then(() => newServers.load()))}
        >
          {t('Not now')}
        </Button>
      </span>
    </div>
  );
}

function Refused() {
  return (
    <div className={styles.refused} role="alert">
      <KeyRound className={statesStyles.emptyIcon} aria-hidden />
      <h1>{t('This page needs a new address')}</h1>
      <p>
        {pageCode.id === ''
          ? t('This page’s address has no code. A code is valid for one page and is not kept when the page reloads.')
          : t('This page’s address was already used, or Toolkeep has restarted.')}{' '}
        <T
          text="Run <code>toolkeep serve</code> in a terminal and open the address that it prints, including everything after the <code>#</code>."
          code={(text) => <code>{text}</code>}
        />
      </p>
    </div>
  );
}
