/** Tabs of a view. They are links, so every tab has its own URL. */
import { hrefOf, type View } from '../stores/route.ts';
import styles from './tabs.module.css';

export interface Tab {
  /** The path segment after the view; empty for the first tab. */
  id: string;
  label: string;
}

export function Tabs({ view, tabs, current }: { view: View; tabs: readonly Tab[]; current: string }) {
  return (
    <nav className={styles.tabs} aria-label="Pages">
      {tabs.map(({ id, label }) => (
        <a key={id} href={hrefOf(view, ...(id ? [id] : []))} aria-current={id === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
