/** Messages for the user in code that also runs in the window, which translates them. */

/** Fills in a message such as `Must be at least {minimum}.` and translates it. `message` must be a literal. */
export type Translate = (message: string, values?: Record<string, string | number>) => string;

/** `a or b` */
export const anyOf = ([first = '', ...others]: readonly string[], t: Translate): string =>
  others.reduce((before, next) => t('{first} or {second}', { first: before, second: next }), first);

/** For UIs in English only: the command line and agents. */
export const english: Translate = (message, values = {}) =>
  message.replace(/\{(\w+)\}/g, (placeholder, name) => String(values[name] ?? placeholder));
