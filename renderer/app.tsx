/**
 * Renders one question (in the prompt window) or the whole main window. The main window's code is loaded on demand, so
 * that prompts appear without waiting for it.
 */
import { lazy, Suspense } from 'react';
import { QuestionPage } from './features/questions/questions.tsx';
import { useRoute } from './stores/route.ts';

const Window = lazy(async () => ({ default: (await import('./window.tsx')).Window }));

export function App() {
  const route = useRoute();
  const isQuestionPage = route.view === 'question' || new URLSearchParams(location.search).get('view') === 'questions';
  if (isQuestionPage) return <QuestionPage />;
  return (
    <Suspense>
      <Window />
    </Suspense>
  );
}
