/** Empty, loading and failure states of a view, each with the next step. */
import { CircleAlert, Hourglass, type LucideIcon, RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Failure } from '../../shared/failure.ts';
import { T, t } from '../text.tsx';
import { Button } from './button.tsx';
import { explainFailure } from './failure-text.ts';
import { listOf } from './format.ts';
import { Path } from './path.tsx';
import styles from './states.module.css';
import { VisibleText } from './untrusted-text.tsx';

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

export function Empty({ icon: Icon, title, text, children }: EmptyProps) {
  return (
    <div className={styles.empty} data-empty>
      <Icon className={styles.emptyIcon} aria-hidden />
      <p className={styles.emptyTitle}>{title}</p>
      {(text || children) && (
        <div className={styles.emptyMore}>
          {text && <p>{text}</p>}
          {children}
        </div>
      )}
    </div>
  );
}

const placeholders = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Appears after a short delay (in CSS), so that fast responses do not flicker. */
export function Skeleton({ rows = 4, label }: { rows?: number | undefined; label: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {placeholders.slice(0, rows).map((row) => (
        <div key={row} className={styles.skeletonRow} />
      ))}
    </div>
  );
}

interface UnloadedProps {
  failure: Failure | undefined;
  /** Says that it is loading. */
  label: string;
  rows?: number;
  onRetry?: () => unknown;
}

/** Shown until there is data: that it is loading, or why it could not be loaded. */
export function Unloaded({ failure, label, rows, onRetry }: UnloadedProps) {
  return failure ? <FailureBox failure={failure} onRetry={onRetry} /> : <Skeleton label={label} rows={rows} />;
}

interface NoticeBoxProps {
  icon: LucideIcon;
  label: string;
  message: ReactNode;
  warning?: boolean;
  children?: ReactNode;
  /** Shown beside the text. */
  end?: ReactNode;
}

/** A box that says what is wrong, and what the user can do. */
export function NoticeBox({ icon: Icon, label, message, warning = false, children, end }: NoticeBoxProps) {
  return (
    <section className={warning ? `${styles.failure} ${styles.failureWarn}` : styles.failure} aria-label={label}>
      <Icon className={warning ? 'icon warn' : 'icon bad'} aria-hidden />
      <div className={styles.failureText}>
        <p className={styles.failureMessage}>{message}</p>
        {children}
      </div>
      {end}
    </section>
  );
}

/** Says that agents do not get something of a server until the user accepts it. */
export function HeldBox({ message, accept, onAccept, children }: HeldBoxProps) {
  return (
    <NoticeBox icon={Hourglass} label={t('Held')} message={message} warning>
      {children}
      <Button onClick={onAccept}>{accept}</Button>
    </NoticeBox>
  );
}

interface HeldBoxProps {
  message: string;
  accept: string;
  onAccept(): void;
  children: ReactNode;
}

/** A failure: what happened, what to do, and where. */
export function FailureBox({
  failure,
  onRetry,
  warning = false,
  children,
}: {
  failure: Failure;
  onRetry?: (() => unknown) | undefined;
  warning?: boolean;
  /** More information about the failure. */
  children?: ReactNode;
}) {
  const { message, hint } = explainFailure(failure);
  const { file, line, path } = failure;
  const place = listOf(
    [line !== undefined && t('line {line}', { line }), path].filter((part) => typeof part === 'string'),
  );
  const retry = onRetry && (
    <Button icon={RotateCw} onClick={onRetry}>
      {t('Try again')}
    </Button>
  );
  return (
    <NoticeBox
      icon={warning ? TriangleAlert : CircleAlert}
      label={warning ? t('Warning') : t('Failure')}
      warning={warning}
      message={<VisibleText text={message} />}
      end={retry}
    >
      {hint && <p>{hint}</p>}
      {(file || place) && (
        <p className="mono small">
          {file && place ? <T text="{file}, {place}" file={<Path path={file} />} place={place} /> : place}
          {file && !place && <Path path={file} />}
        </p>
      )}
      <p className={styles.failureCode}>{failure.code}</p>
      {children}
    </NoticeBox>
  );
}
