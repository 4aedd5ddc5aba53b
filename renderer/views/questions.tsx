/** The queue of questions as a modal over the window, and as a page of its own for small prompt windows. */
import { CircleCheck, MessageCircleQuestion } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { afterPaint } from '../parts/after-paint.ts';
import { ConnectionBanner } from '../parts/banner.tsx';
import { ModalBox } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';
import { Empty } from '../parts/states.tsx';
import { useStores } from '../stores/stores.ts';
import { QuestionCard } from './question-card.tsx';

/** In the window: a modal for the oldest question; after "decide later" a button that brings it back. */
export function QuestionQueue() {
  const { questions } = useStores();
  const { queue, currentId, setAside } = useStore(questions.state);
  const question = queue.find(({ id }) => id === currentId);
  if (!question) return null;
  if (setAside)
    return (
      <button type="button" className="question-pill" onClick={() => questions.show()}>
        <MessageCircleQuestion className="icon" aria-hidden />
        {count(queue.length, 'question')} {queue.length === 1 ? 'waits' : 'wait'} for you
      </button>
    );
  return (
    <ModalBox className="question-dialog" label="A question for you" onEscape={questions.decideLater}>
      <QuestionCard key={question.id} question={question} onLater={questions.decideLater} />
    </ModalBox>
  );
}

/** Alone on its page. Escape closes the prompt window and leaves the question open: it never answers. */
export function QuestionPage() {
  const { questions, prompt } = useStores();
  const { queue, currentId } = useStore(questions.state);
  const { turn } = useStore(prompt.state);
  const question = queue.find(({ id }) => id === currentId);
  useEffect(() => {
    document.title = question ? 'A question for you · Gatehouse' : 'Gatehouse';
  }, [question]);
  const id = question?.id;
  useEffect(() => {
    if (!turn) return;
    // A window is hidden only when it is truly empty, or it would come back with what it went with.
    return afterPaint(() => prompt.painted(turn, id), id === undefined ? undefined : 50);
  }, [prompt, turn, id]);
  // A prompt window that waits for its next question, or goes in a moment, has nothing to say.
  if (turn && !question) return <main className="question-page" />;
  return (
    <main
      className="question-page"
      onKeyDown={(event) => {
        if (event.key === 'Escape') prompt.decideLater();
      }}
    >
      <ConnectionBanner />
      {question ? (
        <QuestionCard key={question.id} question={question} onLater={prompt.decideLater} />
      ) : (
        <Empty icon={CircleCheck} title="Nothing to decide">
          <h1 className="sr-only">Questions</h1>
          <p>New questions appear here.</p>
        </Empty>
      )}
    </main>
  );
}
