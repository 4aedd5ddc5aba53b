/** Creates the stores and mounts React. */
import './zod-setup.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { pageWire } from './bridge.ts';
import { isQuestionPage } from './load-early.ts';
import { createLink } from './stores/link.ts';
import { createStores, StoresProvider } from './stores/stores.ts';

const stores = createStores(createLink(pageWire()), isQuestionPage ? window.toolkeep?.prompt : undefined);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <StoresProvider value={stores}>
      <App />
    </StoresProvider>
  </StrictMode>,
);
