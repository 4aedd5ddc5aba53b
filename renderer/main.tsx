/** Entry point of the page: creates the stores and mounts React. */
import './zod-setup.ts';
import '@fontsource-variable/inter/index.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { pageWire } from './bridge.ts';
import { createLink } from './stores/link.ts';
import { createStores, StoresProvider } from './stores/stores.ts';

const isQuestionPage = new URLSearchParams(location.search).get('view') === 'questions';
// The prompt page is preloaded without text. Load the font now, or the first question flashes in a fallback font.
if (isQuestionPage) void document.fonts.load('1rem "Inter Variable"');
const stores = createStores(createLink(pageWire()), isQuestionPage ? window.gatehouse?.prompt : undefined);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <StoresProvider value={stores}>
      <App />
    </StoresProvider>
  </StrictMode>,
);
