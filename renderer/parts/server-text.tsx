/** Text that servers and agents wrote: shown as it is, never as markup, with every character that could mislead made visible. */
import { type ReactNode, useState } from 'react';

/**
 * Control, bidirectional, zero-width, tag and other invisible characters. A line break and a tab are harmless.
 * Built from ranges, so that this file holds none of them itself.
 */
const invisible = new RegExp(
  `[${[
    '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
    '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f',
    '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb',
    '\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}',
  ].join('')}]`,
  'gu',
);

/** Splits a text into plain parts and the code points that have to be shown as escapes. */
export function splitInvisible(text: string): (string | { code: string })[] {
  const parts: (string | { code: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(invisible)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const point = match[0].codePointAt(0) ?? 0;
    parts.push({ code: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

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
