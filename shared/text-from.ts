/**
 * Text for any value. Never throws, unlike `String`: a value from outside may have a `toString` that is no function.
 * Objects become JSON.
 */
export function textFrom(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return '(unreadable)';
  }
}

/** The message of anything thrown. Never throws. */
export function messageOf(error: unknown): string {
  try {
    return textFrom(error instanceof Error ? error.message : error);
  } catch {
    return '(unreadable)';
  }
}
