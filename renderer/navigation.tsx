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
import styles from './navigation.module.css';
import { isUnread } from './stores/notifications.ts';
import { useResource } from './stores/resource.ts';
import { hrefOf, type View } from './stores/route.ts';
import { useStores } from './stores/stores.ts';

const entries: readonly { view: View; label: string; icon: LucideIcon }[] = [
  { view: 'home', label: 'Home', icon: House },
  { view: 'servers', label: 'Servers', icon: Server },
  { view: 'tools', label: 'Tools', icon: Blocks },
  { view: 'rules', label: 'Rules', icon: ShieldCheck },
  { view: 'clients', label: 'Clients', icon: PlugZap },
  { view: 'history', label: 'History', icon: History },
  { view: 'settings', label: 'Settings', icon: Settings },
  { view: 'notifications', label: 'Notifications', icon: Bell },
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
  const data = useStore(status.state, (state) => state.data);
  const connection = useStore(link.state, (state) => state.status);
  const counts: Partial<Record<View, number>> = data
    ? { servers: data.servers, tools: data.tools, clients: data.clients.length }
    : {};
  const state = connection !== 'open' ? 'Not connected' : data?.paused ? 'Paused' : 'Running';
  return (
    <nav className={styles.nav} aria-label="Main">
      <a className={styles.navBrand} href={hrefOf('home')} aria-label="Gatehouse">
        <BrandMark size={26} />
        <span>Gatehouse</span>
      </a>
      <button type="button" className={styles.navSearch} title="Find…" onClick={() => overlay.show('palette')}>
        <Search className="icon" aria-hidden />
        <span className={styles.navLabel}>Find…</span>
        <kbd aria-hidden>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
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
                <span className={styles.navFailed} title={`${failed} need attention`}>
                  {failed}
                  <span className="sr-only"> need attention</span>
                </span>
              )}
              {target === 'notifications' && unread > 0 && <Unread number={unread} />}
              {target === 'home' && unread > 0 && (
                <span className={styles.navUnreadSmall}>
                  <Unread number={unread} what=" notifications" />
                </span>
              )}
              {counts[target] !== undefined && counts[target] > 0 && (
                <span className={styles.navCount}>{counts[target].toLocaleString('en')}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <p className={state === 'Running' ? `${styles.navState} ${styles.navStateGood}` : styles.navState}>
        <span className={styles.dot} aria-hidden />
        <span className={styles.navLabel}>{state}</span>
      </p>
    </nav>
  );
}

function Unread({ number, what = '' }: { number: number; what?: string }) {
  return (
    <span className={styles.navUnread} title={`${number} unread${what}`}>
      {number}
      <span className="sr-only"> unread{what}</span>
    </span>
  );
}
