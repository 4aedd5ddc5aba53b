/** The address of a view, in the fragment of the window's URL. */
export const addressOf = (...segments: readonly string[]): string => `#/${segments.map(encodeURIComponent).join('/')}`;
