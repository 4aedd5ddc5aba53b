/**
 * Translates the strings of the window. The English message is the key. Messages are in ICU syntax: `{name}`,
 * `{count, plural, one {# tool} other {# tools}}`. Words and plurals follow the language, numbers the system.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { createElement, Fragment, type ReactNode } from 'react';
import { catalog, language } from './language.ts';

const numberFormats = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

const formatters = {
  getNumberFormat: (_: unknown, options?: object) =>
    kept(numberFormats, JSON.stringify(options ?? null), () => new Intl.NumberFormat(undefined, options)),
  getPluralRules: (locale: string | readonly string[] | undefined, options?: Intl.PluralRulesOptions) =>
    kept(plurals, JSON.stringify({ locale, ...options }), () => new Intl.PluralRules(locale, options)),
  getDateTimeFormat: (_: unknown, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options),
};

/** Creating a format takes longer than using it a hundred times. */
function kept<T>(known: Map<string, T>, key: string, create: () => T): T {
  const value = known.get(key) ?? create();
  if (!known.has(key)) known.set(key, value);
  return value;
}

const compiled = new Map<string, IntlMessageFormat>();

const compile = (message: string, locale: string): IntlMessageFormat =>
  kept(compiled, `${locale} ${message}`, () => new IntlMessageFormat(message, locale, undefined, { formatters }));

/** Runs `format` with the translation of a message, or with the message if there is none or it is invalid. */
function translated<T>(message: string, format: (text: string, locale: string) => T): T {
  const translation = Object.hasOwn(catalog, message) ? catalog[message] : undefined;
  if (!translation) return format(message, 'en');
  try {
    return format(translation, language);
  } catch {
    return format(message, 'en');
  }
}

/** Translates a message. `message` must be a literal, so that it can be extracted. */
export function t(message: string, values?: Record<string, string | number>): string {
  return translated(message, (text, locale) =>
    /[{'<]/.test(text) ? String(compile(text, locale).format(values)) : text,
  );
}

type Element = (children: ReactNode) => ReactNode;

/** Translates a message that contains elements: values, or functions for `<tags>`. */
export function T({ text, ...values }: { text: string } & Record<string, ReactNode | Element>): ReactNode {
  const inner = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (chunks: ReactNode[]) => value(joined(chunks)) : value,
  ]);
  return translated(text, (message, locale) => {
    const parts = compile(message, locale).formatToParts<ReactNode>(Object.fromEntries(inner));
    return joined(parts.map(({ value }) => value));
  });
}

/** Passes the parts as separate children, so that they need no keys. */
const joined = (parts: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
