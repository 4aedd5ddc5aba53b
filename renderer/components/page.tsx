/** Layout of a view: header, sections, and the list-and-detail split. */
import { ArrowLeft } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';
import styles from './page.module.css';
import { SplitHandle } from './split-handle.tsx';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The view above this one. */
  back?: { href: string; label: string };
  /** Fills the window; the content scrolls inside. */
  fill?: boolean;
}

export function Page({ title, lead, actions, children, back, fill = false }: PageProps) {
  return (
    <div className={fill ? `${styles.page} ${styles.pageFill}` : styles.page}>
      <header className={styles.pageHead}>
        <div>
          {back && (
            <a className={styles.back} href={back.href}>
              <ArrowLeft className="icon" aria-hidden />
              {back.label}
            </a>
          )}
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
  /** The list has columns, so it takes most of the width until a detail is open. */
  hasColumns?: boolean;
}

export function Split({ list, detail, detailLabel, isOpen, backHref, backLabel, hasColumns = false }: SplitProps) {
  const { listWidth } = useStore(useStores().layout.state);
  const style = listWidth === 0 ? {} : { '--list-width': `min(${listWidth}px, 60%)` };
  const isWide = hasColumns && !isOpen;
  const className = [styles.split, isOpen && styles.splitOpen, isWide && styles.splitWide].filter(Boolean).join(' ');
  const lists = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLDivElement>(null);

  /** Enter on a row moves the focus to the details, and Escape moves it back. */
  function onOpen(target: EventTarget): void {
    // untranslated: selectors
    const rows = 'li a, [role="listbox"]';
    if (target instanceof Element && target.closest(rows)) details.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, target, currentTarget } = event;
    // Menus are elsewhere in the document; dialogs and fields have their own use for the key.
    if (key !== 'Escape' || !(target instanceof Element) || !currentTarget.contains(target)) return;
    // untranslated: selectors
    const others = 'dialog, input, textarea, select';
    if (target.closest(others)) return;
    lists.current?.querySelector<HTMLElement>('li a[aria-current], [role="listbox"]')?.focus();
  }
  return (
    <div className={className} style={style as CSSProperties}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the rows have the focus */}
      <div
        ref={lists}
        className={styles.splitList}
        // A click by keyboard has no detail.
        onClick={({ detail: clicks, target }) => clicks === 0 && onOpen(target)}
        onKeyDown={({ key, target }) =>
          key === 'Enter' && target instanceof Element && target.role === 'listbox' && onOpen(target)
        }
      >
        {list}
      </div>
      <SplitHandle />
      <section className={styles.splitDetail} aria-label={detailLabel} onKeyDown={onKeyDown}>
        {isOpen && (
          <a className={`${styles.back} ${styles.splitBack}`} href={backHref}>
            <ArrowLeft className="icon" aria-hidden />
            {backLabel}
          </a>
        )}
        <div ref={details} tabIndex={-1} className="detail-focus">
          {detail}
        </div>
      </section>
    </div>
  );
}

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack-close">
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
