/** Renders text from servers and agents: never as markup, and with invisible characters made visible. */
import { type ReactNode, useState } from 'react';
import { splitInvisible } from '../../shared/visible-text.ts';
import { t } from '../text.tsx';
import styles from './untrusted-text.module.css';

export function VisibleText({ text }: { text: string }): ReactNode {
  const parts = splitInvisible(text);
  if (parts.length === 1 && typeof parts[0] === 'string') return <bdi>{parts[0]}</bdi>;
  return (
    <bdi>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a string have no other identity
          <span key={index} className={styles.escape} translate="no" title={t('Invisible character')}>
            {part.code}
          </span>
        ),
      )}
    </bdi>
  );
}

/** The whole text, however long it is. */
export function FullText({ text }: { text: string }) {
  return (
    <div className={`mono ${styles.foldText}`} translate="no">
      <VisibleText text={text} />
    </div>
  );
}

const foldAt = { characters: 1200, lines: 16 };

/** Folds long text. The user can always expand it in full. */
export function FoldableText({ text, mono = false }: { text: string; mono?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split('\n');
  const isLong = text.length > foldAt.characters * 1.3 || lines.length > foldAt.lines * 1.3;
  const shown =
    isLong && !isOpen
      ? lines
          .slice(0, foldAt.lines)
          .join('\n')
          .slice(0, foldAt.characters)
          .replace(/[\ud800-\udbff]$/, '')
      : text;
  return (
    <div className={mono ? 'mono' : undefined}>
      <div className={styles.foldText} translate={mono ? 'no' : undefined}>
        <VisibleText text={shown} />
        {shown.length < text.length && '…'}
      </div>
      {isLong && (
        <button type="button" className="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen
            ? t('Show less')
            : t('Show all ({count, number} more characters)', { count: text.length - shown.length })}
        </button>
      )}
    </div>
  );
}

/** Quotes text from a server or agent and names its source, so that it cannot be mistaken for Gatehouse's own. */
export function Quoted({ by, children }: { by: string; children: ReactNode }) {
  return (
    <figure className={styles.quoted}>
      <figcaption>
        <VisibleText text={by} />
      </figcaption>
      <blockquote>{children}</blockquote>
    </figure>
  );
}
