/** Moves the focus to the first invalid field of a form, which also scrolls it into view. */
import type { RefObject } from 'react';

/** Waits for the next frame, because the problems have not been rendered yet. */
export function focusFirstProblem(form: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const field = '.field-bad :is(input, textarea, select)';
    form.current?.querySelector<HTMLElement>(field)?.focus();
  });
}
