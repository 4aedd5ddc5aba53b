/** Renders either one question (the prompt window) or the whole window. The window is loaded lazily so that a prompt never waits for it. */
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
