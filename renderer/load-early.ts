/**
 * Imported before everything else: starts the requests that the page needs next, while the entry is still being evaluated.
 * The page of the prompt window does not need the code of the main window.
 */
export const isQuestionPage = new URLSearchParams(location.search).get('view') === 'questions';

export const loadWindow = () => import('./window.tsx');

if (!isQuestionPage) void loadWindow();
// Otherwise, the font is loaded only when there is text, which then flashes in a fallback font.
void document.fonts.load('1rem "Inter Variable"');
