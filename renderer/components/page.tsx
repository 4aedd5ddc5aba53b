/** Layout of a view: header, sections, and the list-and-detail split. */
import { ArrowLeft } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';
import styles from './page.module.css';
import { SplitHandle } from './split-handle.tsx';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Fills the window; the content scrolls inside. */
  fill?: boolean;
}

export function Page({ title, lead, actions, children, fill = false }: PageProps) {
  return (
    <div className={fill ? `${styles.page} ${styles.pageFill}` : styles.page}>
      <header className={styles.pageHead}>
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className={styles.pageActions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SplitProps {
  list: ReactNode;
  detail: ReactNode;
  detailLabel: string;
  /** A narrow window shows one side only: the detail if one is open. */
  isOpen: boolean;
  backHref: string;
  backLabel: string;
}

export function Split({ list, detail, detailLabel, isOpen, backHref, backLabel }: SplitProps) {
  const { listWidth } = useStore(useStores().layout.state);
  const style = listWidth === 0 ? {} : { '--list-width': `min(${listWidth}px, 60%)` };
  return (
    <div className={isOpen ? `${styles.split} ${styles.splitOpen}` : styles.split} style={style as CSSProperties}>
      <div className={styles.splitList}>{list}</div>
      <SplitHandle />
      <section className={styles.splitDetail} aria-label={detailLabel}>
        {isOpen && (
          <a className={styles.splitBack} href={backHref}>
            <ArrowLeft className="icon" aria-hidden />
            {backLabel}
          </a>
        )}
        {detail}
      </section>
    </div>
  );
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A list of name-value pairs. Empty values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
