/** The queue of questions as every face sees it; the oldest is shown until it is answered or set aside. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toFailure } from '../../shared/failure.ts';
import type { Answer, Question } from '../../shared/model.ts';
import type { Link } from './link.ts';

export interface QuestionsState {
  queue: Question[];
  currentId: string | undefined;
  /** The person chose "decide later": the queue waits behind a button until something new arrives. */
  setAside: boolean;
  problems: Record<string, string>;
  sending: boolean;
}

export interface QuestionsStore {
  readonly state: StoreApi<QuestionsState>;
  answer(question: Question, answer: Answer): Promise<void>;
  show(id?: string): void;
  decideLater(): void;
  /** Moves to the next or previous question without answering. */
  step(by: 1 | -1): void;
}

export function createQuestions(link: Link): QuestionsStore {
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
      // The connection is gone; its banner says so, and the next connection asks again.
    }
  }

  function receive(list: Question[]): void {
    const queue = list.toSorted((a, b) => a.createdAt - b.createdAt);
    const before = state.getState();
    const isNew = queue.some(({ id }) => !before.queue.some((known) => known.id === id));
    const current = queue.find(({ id }) => id === before.currentId);
    state.setState({
      queue,
      currentId: (current ?? queue[0])?.id,
      problems: current ? before.problems : {},
      setAside: before.setAside && !isNew && queue.length > 0,
    });
  }

  link.on('questions.changed', () => void load());
  link.onOpen(() => void load());

  return {
    state,
    async answer(question, answer) {
      state.setState({ sending: true, problems: {} });
      try {
        const { accepted, problems } = await link.call('questions.answer', { id: question.id, answer });
        if (!accepted && problems && Object.keys(problems).length > 0) state.setState({ problems });
        else receive(state.getState().queue.filter(({ id }) => id !== question.id));
      } catch (error) {
        state.setState({ problems: { '': toFailure(error).message } });
      } finally {
        state.setState({ sending: false });
      }
    },
    show: (id) => state.setState(({ currentId }) => ({ setAside: false, currentId: id ?? currentId })),
    decideLater: () => state.setState({ setAside: true }),
    step(by) {
      const { queue, currentId } = state.getState();
      const index = queue.findIndex(({ id }) => id === currentId);
      const next = queue[(index + by + queue.length) % queue.length];
      if (next) state.setState({ currentId: next.id, problems: {} });
    },
  };
}
