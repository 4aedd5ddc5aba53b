/** The way between views: a side bar, narrower on small windows, a bar at the bottom on the smallest. */
import { Blocks, Download, History, type LucideIcon, PlugZap, Server, Settings, ShieldCheck } from 'lucide-react';
import { useStore } from 'zustand';
import { hrefOf, type Place } from '../stores/route.ts';
import { useStores } from '../stores/stores.ts';

const entries: readonly { place: Place; label: string; icon: LucideIcon }[] = [
  { place: 'servers', label: 'Servers', icon: Server },
  { place: 'tools', label: 'Tools', icon: Blocks },
  { place: 'rules', label: 'Rules', icon: ShieldCheck },
  { place: 'import', label: 'Import', icon: Download },
  { place: 'clients', label: 'Clients', icon: PlugZap },
  { place: 'history', label: 'History', icon: History },
  { place: 'settings', label: 'Settings', icon: Settings },
];

export function Navigation({ place }: { place: Place }) {
  const { status, link } = useStores();
  const data = useStore(status.state, (state) => state.data);
  const connection = useStore(link.state, (state) => state.status);
  const counts: Partial<Record<Place, number>> = data
    ? { servers: data.servers, tools: data.tools, clients: data.clients.length }
    : {};
  const state = connection !== 'open' ? 'Not connected' : data?.paused ? 'Paused' : 'Running';
  return (
    <nav className="nav" aria-label="Main">
      <a className="nav-brand" href={hrefOf('servers')} aria-label="Gatehouse">
        <img src="./icon.svg" alt="" width="26" height="26" />
        <span>Gatehouse</span>
      </a>
      <ul>
        {entries.map(({ place: target, label, icon: Icon }) => (
          <li key={target}>
            <a
              className="nav-link"
              href={hrefOf(target)}
              title={label}
              aria-current={target === place ? 'page' : undefined}
            >
              <Icon className="icon" aria-hidden />
              <span className="nav-label">{label}</span>
              {counts[target] !== undefined && counts[target] > 0 && (
                <span className="nav-count">{counts[target].toLocaleString('en')}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <p className={`nav-state nav-state-${state === 'Running' ? 'good' : 'warn'}`}>
        <span className="dot" aria-hidden />
        <span className="nav-label">{state}</span>
      </p>
    </nav>
  );
}
