/** Creates the stores and mounts React. */
import './zod-setup.ts';
import { type ComponentType, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { pageWire } from './bridge.ts';
import { QuestionPage } from './features/questions/questions.tsx';
import { isQuestionPage, loadWindow } from './load-early.ts';
import { createLink } from './stores/link.ts';
import { useRoute } from './stores/route.ts';
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

function App() {
  const { view, segments } = useRoute();
  return isQuestionPage || (view === 'question' && segments.length === 0) ? <QuestionPage /> : <MainWindow />;
}

/** Loads without `Suspense`: React keeps a fallback on screen for at least 300 ms. */
function MainWindow() {
  const [Window, setWindow] = useState<ComponentType>();
  useEffect(() => void loadWindow().then((module) => setWindow(() => module.Window)), []);
  return Window && <Window />;
}
