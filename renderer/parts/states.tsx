/** What a view shows when it has nothing, is still loading, or failed: always with what to do next. */
import { CircleAlert, type LucideIcon, RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Failure, failureCodes } from '../../shared/failure.ts';
import { Button } from './button.tsx';
import { VisibleText } from './server-text.tsx';

export function Empty({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon className="empty-icon" aria-hidden />
      <p className="empty-title">{title}</p>
      {children && <div className="empty-more">{children}</div>}
    </div>
  );
}

const placeholders = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Appears after a short wait only (see CSS), so that quick answers do not flicker. */
export function Skeleton({ rows = 4, label }: { rows?: number; label: string }) {
  return (
    <div className="skeleton" role="status" aria-label={`Loading ${label}`}>
      {placeholders.slice(0, rows).map((row) => (
        <div key={row} className="skeleton-row" />
      ))}
    </div>
  );
}

/** A failure in plain words: what happened, what to do, and where. */
export function FailureBox({
  failure,
  onRetry,
  warning = false,
}: {
  failure: Failure;
  onRetry?: () => void;
  warning?: boolean;
}) {
  const Icon = warning ? TriangleAlert : CircleAlert;
  const place = [failure.file, failure.line !== undefined && `line ${failure.line}`, failure.path]
    .filter(Boolean)
    .join(', ');
  return (
    <section className={warning ? 'failure failure-warn' : 'failure'} aria-label={warning ? 'Warning' : 'Failure'}>
      <Icon className="icon" aria-hidden />
      <div className="failure-text">
        <p className="failure-message">
          <VisibleText text={failure.message} />
        </p>
        <p>{failure.hint ?? failureCodes[failure.code]}</p>
        {place && <p className="mono small">{place}</p>}
        <p className="failure-code">{failure.code}</p>
      </div>
      {onRetry && (
        <Button icon={RotateCw} onClick={onRetry}>
          Try again
        </Button>
      )}
    </section>
  );
}
