/** Tabs of a view. They are links, so every tab has its own URL. */
import { hrefOf, type View } from '../stores/route.ts';
import { t } from '../text.tsx';
import { number } from './format.ts';
import styles from './tabs.module.css';

export interface Tab {
  /** The last path segment; empty for the first tab. */
  id: string;
  label: string;
  /** Shown after the label. */
  count?: number;
}

interface TabsProps {
  view: View;
  /** The segments before the tab's own. */
  path?: readonly string[];
  tabs: readonly Tab[];
  current: string;
}

export function Tabs({ view, path = [], tabs, current }: TabsProps) {
  return (
    <nav className={styles.tabs} aria-label={t('Pages')}>
      {tabs.map(({ id, label, count }) => (
        <a
          key={id}
          className="inset-focus"
          href={hrefOf(view, ...path, ...(id ? [id] : []))}
          aria-current={id === current ? 'page' : undefined}
        >
          {label} {count !== undefined && <span className={styles.count}>{number(count)}</span>}
        </a>
      ))}
    </nav>
  );
}
