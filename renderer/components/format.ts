/** Formats durations, counts, token numbers and times. */

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1).replace('.0', '')} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return both(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.floor(seconds / 60);
  return minutes < 1440
    ? both(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
    : both(Math.floor(minutes / 1440), 'd', Math.floor((minutes % 1440) / 60), 'h');
}

function both(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Rounded to thousands, because token counts are estimates. */
export function tokens(number: number): string {
  const size = Math.abs(number);
  if (size < 1000) return String(number);
  if (size < 10_000) return `${(number / 1000).toFixed(1)} k`;
  if (size < 1_000_000) return `${Math.round(number / 1000)} k`;
  return `${(number / 1_000_000).toFixed(1)} M`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** The first names of a list, for one line: `a, b, c and 4 more`. */
export function someOf(names: readonly string[], shown = 3): string {
  const few = names.slice(0, shown).join(', ');
  return names.length > shown ? `${few} and ${names.length - shown} more` : few;
}

/** Sorts numbers in names by value: `server-2` before `server-10`. */
export const byName = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });

const sameDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const otherDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const thisDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Formats a date and time to the minute. */
export function moment(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (isToday ? thisDay : otherDay).format(at);
}

/** Formats a date and time to the second. */
export function clock(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return (isToday ? sameDay : otherDay).format(at);
}

/** Formats a time of day to the minute, for lists with days as headings. */
export const timeOfDay = (at: number): string => thisDay.format(at);

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** The name of a day, for headings. */
export function dayOf(at: number): string {
  const day = new Date(at);
  const now = new Date();
  if (day.toDateString() === now.toDateString()) return 'Today';
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day.toDateString() === yesterday.toDateString() ? 'Yesterday' : dayFormat.format(day);
}
