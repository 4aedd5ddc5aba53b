/**
 * Translates the strings of the window, and of the app's menus, dialogs and notifications. The English message is the key.
 * Messages are in ICU syntax: `{name}`, `{count, plural, one {# tool} other {# tools}}`. Words and plurals follow the
 * language, numbers the system.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './language.ts';

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

export const compileMessage = (message: string, locale: string): IntlMessageFormat =>
  kept(compiled, `${locale} ${message}`, () => new IntlMessageFormat(message, locale, undefined, { formatters }));

/** Runs `format` with the translation of a message, or with the message if there is none or it is invalid. */
export function translated<T>(
  { tag, catalog }: Language,
  message: string,
  format: (text: string, locale: string) => T,
): T {
  const translation = Object.hasOwn(catalog, message) ? catalog[message] : undefined;
  if (!translation) return format(message, 'en');
  try {
    return format(translation, tag);
  } catch {
    return format(message, 'en');
  }
}

/** Translates a message to text. */
export const translate = (language: Language, message: string, values?: Record<string, string | number>): string =>
  translated(language, message, (text, locale) =>
    /[{'<]/.test(text) ? String(compileMessage(text, locale).format(values)) : text,
  );
