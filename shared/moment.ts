/** Formats dates and times as the system writes them. */
const thisDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
export const otherDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a time of day to the minute, for lists with days as headings. */
export const timeOfDay = (at: number): string => thisDay.format(at);

/** Formats a time to the minute, with its date unless it is today. */
export function moment(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? timeOfDay(at) : otherDay.format(at);
}
