/** What the page shows: one question alone, or the whole window, which is fetched only then: a prompt must not wait for it. */
import { lazy, Suspense } from 'react';
import { useRoute } from './stores/route.ts';
import { QuestionPage } from './views/questions.tsx';

const Window = lazy(async () => ({ default: (await import('./window.tsx')).Window }));

export function App() {
  const route = useRoute();
  const isQuestionPage = route.place === 'question' || new URLSearchParams(location.search).get('view') === 'questions';
  if (isQuestionPage) return <QuestionPage />;
  return (
    <Suspense>
      <Window />
    </Suspense>
  );
}
