/** The question queue: a modal dialog in the window, and a separate page in the prompt window. */
import { CircleCheck, MessageCircleQuestion } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { ConnectionBanner } from '../../components/banner.tsx';
import { Countdown } from '../../components/countdown.tsx';
import { ModalBox } from '../../components/dialog.tsx';
import { Empty } from '../../components/states.tsx';
import { useRoute } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { QuestionCard } from './question-card.tsx';
import styles from './questions.module.css';

/** In the window: a modal for the oldest question, or a button after "Decide later". */
export function QuestionQueue() {
  const { questions, link } = useStores();
  const isOnline = useStore(link.state, ({ status }) => status === 'open');
  const { queue, currentId, setAside } = useStore(questions.state);
  const { view } = useRoute();
  const question = queue.find(({ id }) => id === currentId);
  if (!question) return null;
  // While disconnected, no answer can be sent, and the queue may be out of date.
  if (!isOnline) return null;
  const next = queue.toSorted((a, b) => a.expiresAt - b.expiresAt)[0];
  // Home lists the open questions itself.
  if (setAside && view === 'home') return null;
  if (setAside) {
    const text = t('{count, plural, one {# question is} other {# questions are}} waiting for you', {
      count: queue.length,
    });
    return (
      <>
        <p className="sr-only" role="alert">
          {text}
        </p>
        <button type="button" data-corner className={styles.questionPill} onClick={() => questions.show()}>
          <MessageCircleQuestion className="icon" aria-hidden />
          {text}
          {next && <Countdown from={next.createdAt} to={next.expiresAt} />}
        </button>
      </>
    );
  }
  return (
    <ModalBox className={styles.questionDialog} label={t('A question for you')} onEscape={questions.decideLater}>
      <QuestionCard key={question.id} question={question} onLater={questions.decideLater} />
    </ModalBox>
  );
}

/** In the prompt window. Escape closes the window and leaves the question open; it never answers. */
export function QuestionPage() {
  const { questions, prompt } = useStores();
  const { queue, currentId } = useStore(questions.state);
  const { turn } = useStore(prompt.state);
  const question = queue.find(({ id }) => id === currentId);
  useEffect(() => {
    document.title = question ? t('A question for you · Toolkeep') : 'Toolkeep';
  }, [question]);
  const id = question?.id;
  useEffect(() => {
    if (!turn) return;
    // Report an empty page only after it has been painted; otherwise the window would reappear with old content.
    return afterPaint(() => prompt.painted(turn, id), id === undefined ? undefined : 50);
  }, [prompt, turn, id]);
  // A prompt window between two questions is empty.
  if (turn && !question) return <main className={styles.questionPage} />;
  return (
    <main
      className={styles.questionPage}
      onKeyDown={(event) => {
        if (event.key === 'Escape') prompt.decideLater();
      }}
    >
      <ConnectionBanner />
      {question ? (
        <QuestionCard key={question.id} question={question} onLater={prompt.decideLater} />
      ) : (
        <Empty icon={CircleCheck} title={t('No open questions')}>
          <h1 className="sr-only">{t('Questions')}</h1>
          <p>{t('New questions appear here.')}</p>
        </Empty>
      )}
    </main>
  );
}

/** Hidden pages paint no frames, so `withinMs` limits the wait there. Returns a function that cancels. */
function afterPaint(run: () => void, withinMs?: number): () => void {
  const { port1, port2 } = new MessageChannel();
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    port1.close();
  };
  const finish = () => {
    stop();
    run();
  };
  port1.onmessage = finish;
  const frame = requestAnimationFrame(() => port2.postMessage(undefined));
  const timer = withinMs === undefined ? undefined : setTimeout(finish, withinMs);
  return stop;
}
