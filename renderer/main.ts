/**
 * Entry point of the page: loads the language before the code, because the code's constants are translated too. The page of
 * the prompt window does not need the code of the main window.
 */
import './page-code.ts';
import '@fontsource-variable/inter/index.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { loadLanguage } from './language.ts';
import { isQuestionPage, loadWindow } from './load-early.ts';

async function load(): Promise<void> {
  await loadLanguage();
  if (!isQuestionPage) void loadWindow();
  await import('./start.tsx');
}

void load();
