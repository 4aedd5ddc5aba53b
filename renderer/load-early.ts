/** Requests that start before the code that needs them is evaluated. */
export const isQuestionPage = new URLSearchParams(location.search).get('view') === 'questions';

export const loadWindow = () => import('./window.tsx');

// Otherwise, the font is loaded only when there is text, which then flashes in a fallback font.
void document.fonts.load('1rem "Inter Variable"');
