/** Main navigation: a sidebar, a narrow one on small windows, and a bottom bar on the smallest. */
import {
  Bell,
  Blocks,
  History,
  House,
  type LucideIcon,
  PlugZap,
  Search,
  Server,
  Settings,
  ShieldCheck,
} from 'lucide-react';
import { useStore } from 'zustand';
import { BrandMark } from './components/brand-mark.tsx';
import { number } from './components/format.ts';
import styles from './navigation.module.css';
import { isUnread } from './stores/notifications.ts';
import { useResource } from './stores/resource.ts';
import { hrefOf, type View } from './stores/route.ts';
import { useStores } from './stores/stores.ts';
import { t } from './text.tsx';

const entries: readonly { view: View; label: string; icon: LucideIcon }[] = [
  { view: 'home', label: t('Home'), icon: House },
  { view: 'servers', label: t('Servers'), icon: Server },
  { view: 'tools', label: t('Tools'), icon: Blocks },
  { view: 'rules', label: t('Rules'), icon: ShieldCheck },
  { view: 'clients', label: t('Clients'), icon: PlugZap },
  { view: 'history', label: t('History'), icon: History },
  { view: 'settings', label: t('Settings'), icon: Settings },
  { view: 'notifications', label: t('Notifications'), icon: Bell },
];

const isMac = navigator.platform.startsWith('Mac');

/** Views without an entry of their own. */
const parents: Partial<Record<View, View>> = {
  import: 'servers',
  browse: 'servers',
  bundle: 'servers',
  welcome: 'home',
  question: 'settings',
};

export function Navigation({ view }: { view: View }) {
  const current = parents[view] ?? view;
  const { status, servers, link, overlay, notifications } = useStores();
  const unread = useResource(notifications).data?.filter(isUnread).length ?? 0;
  const failed = useResource(servers).data?.filter((server) => server.status === 'failed').length ?? 0;
  const attention = t('{count, plural, one {# needs attention} other {# need attention}}', { count: failed });
  const data = useStore(status.state, (state) => state.data);
  const connection = useStore(link.state, (state) => state.status);
  const counts: Partial<Record<View, number>> = data
    ? { servers: data.servers, tools: data.tools, clients: data.clients.length }
    : {};
  const isRunning = connection === 'open' && !data?.paused;
  const state = connection !== 'open' ? t('Not connected') : isRunning ? t('Running') : t('Paused');
  return (
    <nav className={styles.nav} aria-label={t('Main')}>
      <a className={styles.navBrand} href={hrefOf('home')} aria-label="Toolkeep">
        <BrandMark size={26} />
        <span>Toolkeep</span>
      </a>
      <button type="button" className={styles.navSearch} title={t('Find…')} onClick={() => overlay.show('palette')}>
        <Search className="icon" aria-hidden />
        <span className={styles.navLabel}>{t('Find…')}</span>
        <kbd aria-hidden>{isMac ? '⌘ K' : t('Ctrl K')}</kbd>
      </button>
      <ul>
        {entries.map(({ view: target, label, icon: Icon }) => (
          <li key={target} data-view={target}>
            <a
              className={styles.navLink}
              href={hrefOf(target)}
              title={label}
              aria-current={target === current ? 'page' : undefined}
            >
              <Icon className="icon" aria-hidden />
              <span className={styles.navLabel}>{label}</span>
              {target === 'servers' && failed > 0 && (
                <span className={styles.navFailed} title={attention}>
                  <span aria-hidden>{failed}</span>
                  <span className="sr-only">{attention}</span>
                </span>
              )}
              {target === 'notifications' && unread > 0 && <Unread number={unread} />}
              {target === 'home' && unread > 0 && (
                <span className={styles.navUnreadSmall}>
                  <Unread number={unread} isNamed />
                </span>
              )}
              {counts[target] !== undefined && counts[target] > 0 && (
                <span className={styles.navCount}>{number(counts[target])}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <p className={isRunning ? `${styles.navState} ${styles.navStateGood}` : styles.navState}>
        <span className={styles.dot} aria-hidden />
        <span className={styles.navLabel}>{state}</span>
      </p>
    </nav>
  );
}

/** `isNamed`: true where the context does not say that the number counts notifications. */
function Unread({ number: unread, isNamed = false }: { number: number; isNamed?: boolean }) {
  const title = isNamed
    ? t('{unread, plural, one {# unread notification} other {# unread notifications}}', { unread })
    : t('{unread, number} unread', { unread });
  return (
    <span className={styles.navUnread} title={title}>
      <span aria-hidden>{number(unread)}</span>
      <span className="sr-only">{title}</span>
    </span>
  );
}
