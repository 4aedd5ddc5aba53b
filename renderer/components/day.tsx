/** The day of a time, as a heading of a list: “Today”, “Yesterday” or a date. */
import { dayOf } from './format.ts';

export function Day({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{dayOf(at)}</time>;
}
