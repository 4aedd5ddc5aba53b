/** The review of a folder's configuration: its effects, and the user's decision to trust exactly this content. */
import { FolderCheck, Play, ShieldAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { TrustEffects, TrustReview } from '../../../shared/model/trust.ts';
import { Button } from '../../components/button.tsx';
import { Check, withItem } from '../../components/controls.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { Dialog } from '../../components/dialog.tsx';
import noteStyles from '../../components/note.module.css';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useSeen } from '../../components/use-seen.ts';
import { useStores } from '../../stores/stores.ts';
import { T, t } from '../../text.tsx';
import styles from './folder-review.module.css';

interface FolderReviewProps {
  folder: string;
  onClose(): void;
}

export function FolderReview({ folder, onClose }: FolderReviewProps) {
  const { link, toasts } = useStores();
  const [review, setReview] = useState<TrustReview>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  /** Ids of the accepted lines. */
  const [accepted, setAccepted] = useState<readonly string[]>([]);

  const read = useCallback(
    async (runCode?: string) => {
      try {
        const next = await link.call('trust.review', { folder, runCode });
        setReview(next);
        setAccepted(next.status === 'trusted' ? next.accepted : []);
      } catch (error) {
        setReview(undefined);
        setFailure(toFailure(error));
      }
    },
    [link, folder],
  );
  useEffect(() => void read(), [read]);

  async function run(codeHash: string): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await read(codeHash);
    setBusy(false);
  }
  async function trust({ folder: path, hash, codeHash }: TrustReview): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      await link.call('trust.save', { folder: path, hash, codeHash, accept: [...accepted] });
      toasts.success(t('{path} is now trusted.', { path }));
      onClose();
    } catch (error) {
      // The files may have changed, so show their current content, with nothing accepted.
      await read();
      setFailure(toFailure(error));
      setBusy(false);
    }
  }

  const needsRun = review?.isCode === true && !review.effects;
  const isUnchanged = review?.status === 'trusted' && isSame(accepted, review.accepted);
  return (
    <Dialog title={t('Review a folder')} onClose={onClose}>
      {failure && (
        <div className={dialogStyles.dialogBody}>
          <FailureBox failure={failure} />
        </div>
      )}
      {!review && !failure && <Skeleton label={t('Loading the folder')} rows={3} />}
      {review && (
        <Reviewed
          key={review.hash}
          review={review}
          accepted={accepted}
          onAccept={(id, isAccepted) => setAccepted(withItem(accepted, id, isAccepted))}
        >
          {(isRead) => (
            <>
              {!isRead && <span className={`muted small ${styles.hint}`}>{t('Scroll to the end to decide.')}</span>}
              <Button onClick={onClose}>{isUnchanged ? t('Close') : t('Cancel')}</Button>
              {needsRun && (
                <Button icon={Play} busy={isBusy} disabled={!isRead} onClick={() => void run(review.codeHash)}>
                  {t('Run it to see what it changes')}
                </Button>
              )}
              {review.effects && !isUnchanged && (
                <Button
                  look="primary"
                  icon={FolderCheck}
                  busy={isBusy}
                  disabled={!isRead || review.problems.length > 0}
                  onClick={() => void trust(review)}
                >
                  {trustLabel(accepted.length)}
                </Button>
              )}
            </>
          )}
        </Reviewed>
      )}
    </Dialog>
  );
}

function trustLabel(accepted: number): string {
  return accepted === 0
    ? t('Trust this content')
    : t('Trust and accept {count, plural, one {# line} other {# lines}}', { count: accepted });
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}

const stateTexts = {
  none: (folder: ReactNode) => <T text="{folder} has no configuration for Toolkeep." folder={folder} />,
  untrusted: (folder: ReactNode) => (
    <T text="{folder} is not trusted. Toolkeep ignores its configuration." folder={folder} />
  ),
  changed: (folder: ReactNode) => (
    <T text="{folder} has changed since you trusted it. Toolkeep ignores its configuration." folder={folder} />
  ),
  trusted: (folder: ReactNode) => <T text="{folder} is trusted, with this content." folder={folder} />,
};

interface ReviewedProps {
  review: TrustReview;
  accepted: readonly string[];
  onAccept(id: string, isAccepted: boolean): void;
  /** Renders the buttons. `isRead`: whether the end of the content has been visible. */
  children(isRead: boolean): ReactNode;
}

function Reviewed({ review, accepted, onAccept, children }: ReviewedProps) {
  const { folder, status, files, isCode, effects, problems } = review;
  const [end, isSeen] = useSeen();
  return (
    <>
      <ScrollRegion
        className={`${dialogStyles.dialogBody} ${styles.review} stack`}
        label={t('The folder’s configuration')}
      >
        <p>{stateTexts[status](<VisibleText as="strong" text={folder} />)}</p>
        {files.length > 0 && (
          <ul className={styles.files} aria-label={t('Files')}>
            {files.map(({ path, hash }) => (
              <li key={path}>
                <VisibleText text={path} />{' '}
                <span className="muted">{t('sha256 {hash}…', { hash: hash.slice(0, 16) })}</span>
              </li>
            ))}
          </ul>
        )}
        {isCode && !effects && (
          <p className={`${noteStyles.note} ${noteStyles.noteIcon} ${noteStyles.noteWarn}`}>
            <ShieldAlert className="icon" aria-hidden />
            <span>
              {t(
                'This configuration is code. To read it, Toolkeep runs it with all your permissions, so review the files first.',
              )}
            </span>
          </p>
        )}
        {problems.map((problem) => (
          <FailureBox key={`${problem.path}${problem.message}`} failure={problem} />
        ))}
        {effects && <Effects effects={effects} accepted={accepted} onAccept={onAccept} />}
        <div ref={end} />
      </ScrollRegion>
      <footer className={`${dialogStyles.dialogFoot} ${styles.actions}`}>{children(isSeen === true)}</footer>
    </>
  );
}

interface EffectsProps {
  effects: TrustEffects;
  accepted: readonly string[];
  onAccept(id: string, isAccepted: boolean): void;
}

function Effects({ effects: { adds, stricter, loosens, ignored }, accepted, onAccept }: EffectsProps) {
  if ([adds, stricter, loosens, ignored].every(({ length }) => length === 0)) return <p>{t('It changes nothing.')}</p>;
  return (
    <>
      <Lines title={t('Adds')} lines={adds} />
      <Lines title={t('Tightens your protection')} lines={stricter} />
      {loosens.length > 0 && (
        <fieldset className={styles.loosens}>
          <legend>{t('Weakens your protection')}</legend>
          <p className="field-hint">{t('Each line applies only if you select it.')}</p>
          {loosens.map(({ id, text }) => (
            <Check key={id} checked={accepted.includes(id)} onChange={(isSet) => onAccept(id, isSet)}>
              <VisibleText as="span" className={styles.line} text={text} />
            </Check>
          ))}
        </fieldset>
      )}
      <Lines title={t('Ignored')} lines={ignored} />
    </>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles.lines} aria-label={title}>
        {[...new Set(lines)].map((line) => (
          <VisibleText as="li" key={line} className={styles.line} text={line} />
        ))}
      </ul>
    </div>
  );
}
