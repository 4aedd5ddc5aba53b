/** Renders a long list in two steps, because hundreds of rows take longer than a frame. */
import { useDeferredValue } from 'react';

/** More rows than fit into a window. */
const firstRows = 30;

/** At first the rows in view; the others follow once those are painted. */
export function useFirstRows<T>(rows: readonly T[]): readonly T[] {
  return useDeferredValue(rows, rows.slice(0, firstRows));
}
