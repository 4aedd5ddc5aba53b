/** The queue of open questions. The oldest is shown until the user answers it or chooses "Decide later". */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toFailure } from '../../shared/failure.ts';
import type { Answer, Question } from '../../shared/model/question.ts';
import type { Link } from './link.ts';
import type { PromptStore } from './prompt.ts';
import { parseRoute } from './route.ts';

export interface QuestionsState {
  queue: Question[];
  currentId: string | undefined;
  /** True while the user types, and after "Decide later" until a new question arrives: the queue is collapsed to a button. */
  setAside: boolean;
  problems: Record<string, string>;
  sending: boolean;
}

export interface QuestionsStore {
  readonly state: StoreApi<QuestionsState>;
  answer(question: Question, answer: Answer): Promise<void>;
  show(id?: string): void;
  decideLater(): void;
  /** Shows the next or previous question without answering. */
  step(by: 1 | -1): void;
}

/**
 * True while the user is typing. A modal dialog would take the focus, and the question would receive the remaining
 * keystrokes.
 */
function isTyping(): boolean {
  const field = document.activeElement;
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isField && performance.now() - lastKeyAt < typingPauseMs;
}

const typingPauseMs = 2000;
let lastKeyAt = Number.NEGATIVE_INFINITY;

/** A prompt window shows only the questions assigned to it. */
export function createQuestions(link: Link, prompt: PromptStore): QuestionsStore {
  let all: readonly Question[] = [];
  /** Shows a question that came while the user typed. */
  let opening: ReturnType<typeof setTimeout> | undefined;
  const state = createStore<QuestionsState>(() => ({
    queue: [],
    currentId: undefined,
    setAside: false,
    problems: {},
    sending: false,
  }));

  async function load(): Promise<void> {
    try {
      receive(await link.call('questions.list'));
    } catch {
      // A banner reports the lost connection, and the next connection reloads the questions.
    }
  }

  function receive(list: readonly Question[]): void {
    all = list;
    const ids = prompt.state.getState().turn?.ids;
    const mine = ids ? all.filter(({ id }) => ids.includes(id)) : all;
    const queue = mine.toSorted((a, b) => a.createdAt - b.createdAt);
    const before = state.getState();
    const isNew = queue.some(({ id }) => !before.queue.some((known) => known.id === id));
    const isOpen = before.queue.length > 0 && !before.setAside;
    const current = queue.find(({ id }) => id === before.currentId);
    const mustWait = isNew && isTyping() && !isOpen;
    if (mustWait) showAfterTyping();
    state.setState({
      queue,
      currentId: (current ?? queue[0])?.id,
      problems: current ? before.problems : {},
      setAside: queue.length > 0 && (isNew ? mustWait : before.setAside),
    });
  }

  function showAfterTyping(): void {
    clearTimeout(opening);
    opening = setTimeout(() => (isTyping() ? showAfterTyping() : state.setState({ setAside: false })), typingPauseMs);
  }

  function decideLater(): void {
    clearTimeout(opening);
    state.setState({ setAside: true });
  }

  /** `#/question/ID` shows that question over the current view, whose address is `current`. */
  function followAddress(current: string): void {
    const { view, segments } = parseRoute(location.hash);
    if (view !== 'question' || segments.length === 0) return;
    history.replaceState(null, '', current);
    clearTimeout(opening);
    state.setState({ setAside: false, currentId: segments[0] });
    // Shows the oldest question if that one is no longer open.
    void load();
  }

  addEventListener('hashchange', ({ oldURL }) => followAddress(oldURL));
  followAddress('#/');
  addEventListener('keydown', () => {
    lastKeyAt = performance.now();
  });
  link.on('questions.changed', () => void load());
  link.onOpen(() => void load());
  prompt.state.subscribe(() => receive(all));

  return {
    state,
    async answer(question, answer) {
      state.setState({ sending: true, problems: {} });
      try {
        const { accepted, problems } = await link.call('questions.answer', { id: question.id, answer });
        if (!accepted && problems && Object.keys(problems).length > 0) state.setState({ problems });
        else receive(all.filter(({ id }) => id !== question.id));
      } catch (error) {
        state.setState({ problems: { '': toFailure(error).message } });
      } finally {
        state.setState({ sending: false });
      }
    },
    show: (id) => state.setState(({ currentId }) => ({ setAside: false, currentId: id ?? currentId })),
    decideLater,
    step(by) {
      const { queue, currentId } = state.getState();
      const index = queue.findIndex(({ id }) => id === currentId);
      const next = queue[(index + by + queue.length) % queue.length];
      if (next) state.setState({ currentId: next.id, problems: {} });
    },
  };
}
