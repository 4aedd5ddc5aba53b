/** The frame of a view: heading, actions, and the list-with-details layout. */
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The view fills the window and scrolls inside. */
  fill?: boolean;
}

export function Page({ title, lead, actions, children, fill = false }: PageProps) {
  return (
    <div className={fill ? 'page page-fill' : 'page'}>
      <header className="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SplitProps {
  list: ReactNode;
  detail: ReactNode;
  detailLabel: string;
  /** On a narrow window only one side is shown: the detail when one is open. */
  isOpen: boolean;
  backHref: string;
  backLabel: string;
}

export function Split({ list, detail, detailLabel, isOpen, backHref, backLabel }: SplitProps) {
  return (
    <div className={isOpen ? 'split split-open' : 'split'}>
      <div className="split-list">{list}</div>
      <section className="split-detail" aria-label={detailLabel}>
        {isOpen && (
          <a className="split-back" href={backHref}>
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
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Name and value pairs; absent values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
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
