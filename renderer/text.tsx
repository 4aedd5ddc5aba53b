/** Translates the strings of the window, to text or to elements. */
import { createElement, Fragment, type ReactNode } from 'react';
import { compileMessage, translate, translated } from '../shared/translate.ts';
import { language } from './language.ts';

/** Translates a message. `message` must be a literal, so that it can be extracted. */
export const t = (message: string, values?: Record<string, string | number>): string =>
  translate(language, message, values);

type Element = (children: ReactNode) => ReactNode;

/** Translates a message that contains elements: values, or functions for `<tags>`. */
export function T({ text, ...values }: { text: string } & Record<string, ReactNode | Element>): ReactNode {
  const inner = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (chunks: ReactNode[]) => value(joined(chunks)) : value,
  ]);
  return translated(language, text, (message, locale) => {
    const parts = compileMessage(message, locale).formatToParts<ReactNode>(Object.fromEntries(inner));
    return joined(parts.map(({ value }) => value));
  });
}

/** Passes the parts as separate children, so that they need no keys. */
const joined = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
