/** The page of one step of the first run. */
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './welcome.module.css';

interface StepPageProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
  /** The buttons for the next step, always at the bottom. */
  actions: ReactNode;
}

/** One step. Its heading takes the focus, so that a screen reader announces the new step. */
export function StepPage({ title, lead, children, actions }: StepPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className={`${styles.page} sections`}>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="lead">{lead}</p>
      </header>
      {children}
      <footer className={styles.foot}>{actions}</footer>
    </section>
  );
}

/** Runs `work` when `isReady` is true for the first time. */
export function useOnce(isReady: boolean, work: () => void): void {
  const hasRun = useRef(false);
  useEffect(() => {
    if (!isReady || hasRun.current) return;
    hasRun.current = true;
    work();
  });
}
