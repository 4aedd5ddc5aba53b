/**
 * Formats durations, numbers, lists and times: words in the window's language, numbers and dates in the system's format.
 */
import { anyOf as anyOfIn } from '../../shared/message.ts';
import { otherDay } from '../../shared/moment.ts';
import { t } from '../text.tsx';

export { moment, timeOfDay } from '../../shared/moment.ts';

export function duration(ms: number): string {
  if (ms < 1000) return t('{ms, number} ms', { ms: Math.round(ms) });
  if (ms < 10_000) return t('{seconds} s', { seconds: number(ms / 1000) });
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return t('{seconds} s', { seconds });
  if (seconds < 3600) return minutesAndSeconds(Math.floor(seconds / 60), seconds % 60);
  const minutes = Math.floor(seconds / 60);
  return minutes < 1440
    ? hoursAndMinutes(Math.floor(minutes / 60), minutes % 60)
    : daysAndHours(Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60));
}

const minutesAndSeconds = (minutes: number, seconds: number): string =>
  seconds === 0 ? t('{minutes} min', { minutes }) : t('{minutes} min {seconds} s', { minutes, seconds });

const hoursAndMinutes = (hours: number, minutes: number): string =>
  minutes === 0 ? t('{hours} h', { hours }) : t('{hours} h {minutes} min', { hours, minutes });

const daysAndHours = (days: number, hours: number): string =>
  hours === 0 ? t('{days, number} d', { days }) : t('{days, number} d {hours} h', { days, hours });

const upToOneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const exactlyOneDigit = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** With at most one digit after the decimal separator. */
export const number = (value: number): string => upToOneDigit.format(value);

/** Rounded to thousands, because token counts are estimates. */
export function tokens(value: number): string {
  const size = Math.abs(value);
  if (size < 1000) return number(value);
  if (size < 10_000) return t('{thousands} k', { thousands: exactlyOneDigit.format(value / 1000) });
  if (size < 1_000_000) return t('{thousands} k', { thousands: number(Math.round(value / 1000)) });
  return t('{millions} M', { millions: exactlyOneDigit.format(value / 1_000_000) });
}

/** `a, b, c` */
export const listOf = (items: Iterable<string>): string =>
  Array.from(items).reduce(
    (before, next) => (before === '' ? next : t('{first}, {second}', { first: before, second: next })),
    '',
  );

/** `a · b`, without the parts that are empty or false. */
export const dotted = (parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' · ');

/** `a, b and c` */
export function allOf(items: readonly string[]): string {
  const second = items.at(-1) ?? '';
  return items.length < 2 ? second : t('{first} and {second}', { first: listOf(items.slice(0, -1)), second });
}

/** `a or b` */
export const anyOf = (items: readonly string[]): string => anyOfIn(items, t);

/** The first names of a list, for one line: `a, b, c and 4 more`. */
export function someOf(names: readonly string[]): string {
  const shown = 3;
  const few = listOf(names.slice(0, shown));
  return names.length > shown
    ? t('{names} and {count, number} more', { names: few, count: names.length - shown })
    : few;
}

/** Sorts numbers in names by value: `server-2` before `server-10`. */
export const byName = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });

const sameDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** Formats a date and time to the second. */
export function clock(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (isToday ? sameDay : otherDay).format(at);
}

/** Formats a time of day to the second, for lists with days as headings. */
export const secondOfDay = (at: number): string => sameDay.format(at);

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** The name of a day, for headings. */
export function dayOf(at: number): string {
  const day = new Date(at);
  const now = new Date();
  if (day.toDateString() === now.toDateString()) return t('Today');
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day.toDateString() === yesterday.toDateString() ? t('Yesterday') : dayFormat.format(day);
}

/** `43 tools`, or `42 of 43 tools enabled` */
export const toolsEnabled = (enabled: number, count: number): string =>
  enabled === count
    ? t('{count, plural, one {# tool} other {# tools}}', { count })
    : t('{enabled, number} of {count, plural, one {# tool} other {# tools}} enabled', { enabled, count });
