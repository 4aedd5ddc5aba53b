/** Text that servers and agents wrote: shown as it is, never as markup, with every character that could mislead made visible. */
import { type ReactNode, useState } from 'react';
import { splitInvisible } from '../../shared/visible-text.ts';

export function VisibleText({ text }: { text: string }): ReactNode {
  const parts = splitInvisible(text);
  if (parts.length === 1 && typeof parts[0] === 'string') return <bdi>{parts[0]}</bdi>;
  return (
    <bdi>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity and keep their places
          <span key={index} className="escape" title="An invisible character">
            {part.code}
          </span>
        ),
      )}
    </bdi>
  );
}

const foldAt = { characters: 1200, lines: 16 };

/** Long text starts folded, says how much is hidden, and can always be shown in full. */
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
    <div className={mono ? 'fold mono' : 'fold'}>
      <div className="fold-text">
        <VisibleText text={shown} />
        {shown.length < text.length && '…'}
      </div>
      {isLong && (
        <button type="button" className="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all (${(text.length - shown.length).toLocaleString('en')} more characters)`}
        </button>
      )}
    </div>
  );
}

/** A block that cannot be taken for our own words: it says whose they are. */
export function Quoted({ by, children }: { by: string; children: ReactNode }) {
  return (
    <figure className="quoted">
      <figcaption>
        <VisibleText text={by} />
      </figcaption>
      <blockquote>{children}</blockquote>
    </figure>
  );
}
