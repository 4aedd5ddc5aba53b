/** Entry of the window: wires the parts and mounts the page. */
import './zod-setup.ts';
import '@fontsource-variable/inter/index.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/views.css';
import './styles/question.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { openWire, takeToken } from './bridge.ts';
import { createLink } from './stores/link.ts';
import { createStores, StoresProvider } from './stores/stores.ts';

const token = takeToken();
const isQuestionPage = new URLSearchParams(location.search).get('view') === 'questions';
// A page kept ready has no text yet, so its first question would be drawn in another font before this one is there.
if (isQuestionPage) void document.fonts.load('1rem "Inter Variable"');
const stores = createStores(
  createLink(() => openWire(token)),
  isQuestionPage ? window.gatehouse?.prompt : undefined,
);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <StoresProvider value={stores}>
      <App />
    </StoresProvider>
  </StrictMode>,
);
