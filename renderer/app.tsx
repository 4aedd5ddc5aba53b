/**
 * Renders one question (in the prompt window) or the whole main window. The main window's code is loaded on demand, so
 * that prompts appear without waiting for it.
 */
import { type ComponentType, useEffect, useState } from 'react';
import { QuestionPage } from './features/questions/questions.tsx';
import { isQuestionPage, loadWindow } from './load-early.ts';
import { useRoute } from './stores/route.ts';

export function App() {
  const route = useRoute();
  return isQuestionPage || route.view === 'question' ? <QuestionPage /> : <MainWindow />;
}

/** Loads without `Suspense`: React keeps a fallback on screen for at least 300 ms. */
function MainWindow() {
  const [Window, setWindow] = useState<ComponentType>();
  useEffect(() => void loadWindow().then((module) => setWindow(() => module.Window)), []);
  return Window && <Window />;
}
