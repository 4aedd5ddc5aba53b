/** The day of a time, as a heading of a list: “Today”, “Yesterday” or a date. */
import { dayOf } from './format.ts';
import rowsStyles from './rows.module.css';

export function Day({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{dayOf(at)}</time>;
}

/** Nothing if the row above, at `before`, is of the same day. */
export function DayHeading({ at, before = 0 }: { at: number; before: number | undefined }) {
  if (dayOf(before) === dayOf(at)) return null;
  return (
    <h2 className={rowsStyles.rowHeading}>
      <Day at={at} />
    </h2>
  );
}
