/** A JSON value as indented text, with colors for names, strings and other values. Long text is folded. */
import type { ReactNode } from 'react';
import styles from './json-text.module.css';
import { jsonTokens } from './json-tokens.ts';
import { FoldableText, VisibleText } from './untrusted-text.tsx';

/** Each colored part is an element, so longer text has no colors. */
const maxColored = 20_000;

export function JsonText({ value }: { value: unknown }) {
  return <FoldableText mono text={JSON.stringify(value, null, 2) ?? ''} render={colored} />;
}

function colored(text: string): ReactNode {
  if (text.length > maxColored) return <VisibleText text={text} />;
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(jsonTokens)) {
    const [token, string, colon] = match;
    const shown = string ?? token;
    parts.push(
      <VisibleText key={`before ${match.index}`} text={text.slice(end, match.index)} />,
      <VisibleText
        as="span"
        key={match.index}
        className={colon ? styles.name : string ? styles.string : styles.value}
        text={shown}
      />,
    );
    end = match.index + shown.length;
  }
  return (
    <>
      {parts}
      <VisibleText text={text.slice(end)} />
    </>
  );
}
