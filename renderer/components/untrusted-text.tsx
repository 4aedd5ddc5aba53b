/** Renders text from servers and agents: never as markup, and with invisible characters made visible. */
import { type HTMLAttributes, type ReactNode, useState } from 'react';
import { splitInvisible } from '../../shared/visible-text.ts';
import { t } from '../text.tsx';
import styles from './untrusted-text.module.css';

interface VisibleTextProps extends Omit<HTMLAttributes<HTMLElement>, 'children'> {
  text: string;
  /** The element around the text, which gets the other attributes. */
  as?: 'code' | 'del' | 'div' | 'figcaption' | 'h2' | 'h3' | 'ins' | 'li' | 'mark' | 'p' | 'q' | 'span' | 'strong';
}

export function VisibleText({ text, as: Element, ...attributes }: VisibleTextProps): ReactNode {
  const shown = (
    <bdi>
      {splitInvisible(text).map((part, index) =>
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
  return Element ? <Element {...attributes}>{shown}</Element> : shown;
}

export function TextList({ texts, className }: { texts: readonly string[]; className?: string | undefined }) {
  return (
    <ul className={className}>
      {texts.map((text) => (
        <VisibleText as="li" key={text} text={text} />
      ))}
    </ul>
  );
}

/** The whole text, however long it is. */
export function FullText({ text }: { text: string }) {
  return <VisibleText as="div" className={`mono ${styles.foldText}`} translate="no" text={text} />;
}

const foldAt = { characters: 1200, lines: 16 };

/** The first expansion shows this many times the length of the folded text. */
const secondFold = 12;

interface FoldableTextProps {
  text: string;
  mono?: boolean;
  /** Renders the part of the text that is shown. */
  render?(text: string): ReactNode;
}

/** Folds long text. The user can always expand it in full; very long text in two steps. */
export function FoldableText({ text, mono = false, render = visible }: FoldableTextProps) {
  const [fold, setFold] = useState(1);
  const shown = folded(text, fold);
  const rest = text.length - shown.length;
  // Text that is only slightly longer is expanded in one step.
  const next = folded(text, secondFold) === text ? Number.POSITIVE_INFINITY : secondFold;
  return (
    <div className={mono ? 'mono' : undefined}>
      <div className={styles.foldText} translate={mono ? 'no' : undefined}>
        {render(shown)}
        {rest > 0 && '…'}
      </div>
      {(rest > 0 || fold > 1) && (
        <span className={styles.foldActions}>
          {rest > 0 && fold === 1 && next === secondFold && (
            <button type="button" className="link-button" onClick={() => setFold(next)}>
              {t('Show more')}
            </button>
          )}
          <button
            type="button"
            className="link-button"
            aria-expanded={rest === 0}
            onClick={() => setFold(rest > 0 ? Number.POSITIVE_INFINITY : 1)}
          >
            {rest > 0 ? t('Show all ({count, number} more characters)', { count: rest }) : t('Show less')}
          </button>
        </span>
      )}
    </div>
  );
}

const visible = (text: string): ReactNode => <VisibleText text={text} />;

/** The beginning of a text, or the whole text if it is only slightly longer. Never splits a character. */
function folded(text: string, fold: number): string {
  if (fold === Number.POSITIVE_INFINITY) return text;
  const characters = foldAt.characters * fold;
  const maxLines = foldAt.lines * fold;
  const lines = text.split('\n', maxLines * 2);
  if (text.length <= characters * 1.3 && lines.length <= maxLines * 1.3) return text;
  return lines
    .slice(0, maxLines)
    .join('\n')
    .slice(0, characters)
    .replace(/[\ud800-\udbff]$/, '');
}

/** Quotes text from a server or agent and names its source, so that it cannot be mistaken for Toolkeep's own. */
export function Quoted({ by, children }: { by: string; children: ReactNode }) {
  return (
    <figure className={styles.quoted}>
      <VisibleText as="figcaption" text={by} />
      <blockquote>{children}</blockquote>
    </figure>
  );
}
